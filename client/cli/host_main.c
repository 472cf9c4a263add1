/* `ludus host`: the command line. */

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "args.h"
#include "common/game.h"
#include "run.h"
#include "subcommands.h"

enum { NAME, COLOR, CLOCK, LINE, HELP };

const struct usage_row host_rows[] = {
    {OPTION("name", "NAME", "your name"), .code = NAME},
    {OPTION("color", "white|black", "your side (white)"), .code = COLOR},
    {OPTION("clock", "BASE+INC", "play with clocks: BASE seconds a side, INC more a move"),
     .code = CLOCK},
    {OPTION("line", NULL, "work line by line instead of in full screen"), .code = LINE},
    {OPTION("help", NULL, "print this help"), .code = HELP},
    {.name = NULL},
};

static const char help[] =
    "Starts a server on this network for the evening, prints what your friend types\n"
    "to join, and opens a match in which the other seat is free. With several GAMEs,\n"
    "or none, it asks which. The server ends when you quit; the next `ludus host`\n"
    "finds unfinished matches again.";

struct wishes {
    const char *color;
    char *const *games; /* borrowed from argv */
    int game_count;
};

static bool read_options(struct args *args, struct wishes *wishes,
                         const struct usage_command *command, int argc, char *argv[], int *status)
{
    const char *values[USAGE_ROWS_MAX] = {NULL};

    if (!args_read_rows(command, HELP, help, argc, argv, values, status))
        return false;
    args->name = values[NAME];
    args->new_match.clock = values[CLOCK];
    args->line = values[LINE] != NULL;
    wishes->color = values[COLOR];
    wishes->games = argv + optind;
    wishes->game_count = argc - optind;
    return true;
}

/* Checks everything before a server is started for nothing. */
static bool check(const struct args *args, const struct wishes *wishes, int *status)
{
    struct position position;
    struct cause cause;

    for (int i = 0; i < wishes->game_count; i++)
        if (game_open(wishes->games[i], &position, NULL, &cause) == NULL)
            return args_refuse(status, "host: %s", cause.text);
    if (wishes->color != NULL && !args_check_color(wishes->color, status))
        return false;
    if (wishes->game_count == 0 && (wishes->color != NULL || args->new_match.clock != NULL))
        return args_refuse(status, "--color, --clock: only with a GAME");
    if (wishes->game_count > 1 && !isatty(STDIN_FILENO))
        return args_refuse(status, "host: name one game, where nobody can be asked which");
    if (args->new_match.clock != NULL && !args_check_clock(args->new_match.clock, status))
        return false;
    return args->name == NULL || args_check_name(args->name, status);
}

/* Asks which of several games to play, before anything is on the screen; NULL at end of input. */
static const char *ask_game(const struct wishes *wishes)
{
    for (int i = 0; i < wishes->game_count; i++)
        printf("  %d  %s\n", i + 1, wishes->games[i]);
    int number = args_ask_number("Which game?", wishes->game_count);
    return number > 0 ? wishes->games[number - 1] : NULL;
}

int host_main(const struct usage_command *command, int argc, char *argv[])
{
    struct args args = {.host = true};
    struct wishes wishes = {.color = NULL};
    int status;

    if (!read_options(&args, &wishes, command, argc, argv, &status) ||
        !check(&args, &wishes, &status))
        return status;
    if (wishes.game_count > 0) {
        bool black = wishes.color != NULL && strcasecmp(wishes.color, "black") == 0;
        args.new_match.game = wishes.game_count == 1 ? wishes.games[0] : ask_game(&wishes);
        args.new_match.white = black ? "open" : "me";
        args.new_match.black = black ? "me" : "open";
        if (args.new_match.game == NULL)
            return 1;
    }
    return run_client(&args);
}
