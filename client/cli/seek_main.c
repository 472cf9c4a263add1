/* `ludus seek`: lets the server find an opponent, and plays. */
#include "args.h"
#include "subcommands.h"

/* clang-format off */
const struct usage_row seek_rows[] = {
    CONNECT_ROW,
    TLS_ROW,
    CODE_ROW,
    {OPTION("name", "NAME", "your name there; guests are paired, too, but not rated"), TO_TEXT(options, name)},
    CLOCK_ROW,
    {OPTION("color", "white|black", "your side (any)"), TO_TEXT(options, color)},
    {OPTION("rating", "LOW-HIGH", "opponents with a rating from LOW to HIGH only"), TO_TEXT(options, rating)},
    {OPTION("bots", "yes|no|only", "whether bots will do"), TO_TEXT(options, bots), .standard = "yes"},
    {OPTION("unrated", NULL, "a match that is not rated"), TO_FLAG(options, unrated)},
    LINE_ROW,
    HELP_ROW,
    {.name = NULL},
};
/* clang-format on */

static const char help[] =
    "Waits until the server has found an opponent, and plays the match. The other player\n"
    "seeks the same game, variant, clock and kind of match. The menu follows; it has\n"
    "\"Find an opponent\", too.";

int seek_main(const struct usage_command *command, int argc, char *argv[])
{
    struct command_line line = {.command = command, .text = help, .least = 1, .most = 1};
    struct args args = {.host = false};
    int status;

    if (!args_read_line(&line, argc, argv, &status))
        return status;
    args.options = line.options;
    args.address = link_address(line.options.connect, line.options.tls, args.tls_address);
    args.seek = (struct new_seek){.game = line.words[0],
                                  .clock = line.options.match.clock,
                                  .color = line.options.color,
                                  .rating = line.options.rating,
                                  .bots = line.options.bots,
                                  .unrated = line.options.unrated};
    return run_client(&args);
}
