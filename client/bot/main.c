/* ludus-bot: the built-in bots. Without a subcommand a bot plays on a server. */
#include <string.h>

#include "bot.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} subcommands[] = {
    {"ugi", ugi_main},
    {"gauntlet", gauntlet_main},
    {"solve", solve_main},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof subcommands / sizeof subcommands[0]; i++)
        if (strcmp(argv[1], subcommands[i].name) == 0)
            return subcommands[i].run(argc - 1, argv + 1);
    return connect_main(argc, argv);
}
