/* ludus-bot: the built-in bots. Without a subcommand, a bot plays on a server. */
#include <stddef.h>

#include "bot.h"
#include "client/link/link.h"

static const struct usage_command commands[] = {
    {.word = "ugi",
     .arguments = "",
     .summary = "an engine on standard input and output",
     .rows = ugi_rows,
     .run = ugi_main},
    {.word = "gauntlet",
     .arguments = "PLAYER PLAYER...",
     .summary = "plays engines against each other",
     .rows = gauntlet_rows,
     .run = gauntlet_main},
    {.word = "solve",
     .arguments = "clobber:WxH|\"POSITION\"",
     .summary = "finds who wins a position of Clobber",
     .rows = solve_rows,
     .run = solve_main},
    {.word = "review",
     .arguments = "",
     .summary = "finds the moves that lost a match",
     .rows = review_rows,
     .run = review_main},
    {.word = "perft",
     .arguments = "GAME[:VARIANT]|\"POSITION\" N",
     .summary = "counts move sequences",
     .rows = perft_rows,
     .run = perft_main},
    {.word = "selfplay",
     .arguments = "GAME[:VARIANT]",
     .summary = "plays a level against itself",
     .rows = selfplay_rows,
     .run = selfplay_main},
    {.word = "puzzles",
     .arguments = "GAME[:VARIANT] N",
     .summary = "makes puzzles: one move wins, by proof",
     .rows = puzzles_rows,
     .run = puzzles_main},
    {.word = "openings",
     .arguments = "GAME[:VARIANT] N",
     .summary = "makes openings that are balanced",
     .rows = openings_rows,
     .run = openings_main},
    {.word = "check",
     .arguments = "ENGINE",
     .summary = "checks whether an engine can be relied on",
     .rows = check_rows,
     .run = check_main},
    {.word = "check-bot",
     .arguments = "-- COMMAND",
     .summary = "checks whether a bot is a good citizen",
     .rows = check_bot_rows,
     .run = check_bot_main},
    {.word = NULL},
};

int main(int argc, char **argv)
{
    const struct usage_command *subcommand =
        usage_bring_forward(connect_rows, commands, &argc, argv);

    link_use_xmalloc();
    return usage_end("ludus-bot", subcommand != NULL
                                      ? subcommand->run(subcommand, argc - 1, argv + 1)
                                      : connect_main(argc, argv));
}
