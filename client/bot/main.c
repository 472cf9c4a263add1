/* ludus-bot: the built-in bots. Without a subcommand a bot plays on a server. */
#include <stddef.h>

#include "bot.h"
#include "client/link/library_memory.h"

int main(int argc, char **argv)
{
    const struct usage_command *subcommand = usage_find(bot_commands, argc > 1 ? argv[1] : NULL);

    library_memory_use_xmalloc();
    return subcommand != NULL ? subcommand->run(subcommand, argc - 1, argv + 1)
                              : connect_main(argc, argv);
}
