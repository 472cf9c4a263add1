#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "ask.h"
#include "client/lines/learn_lines.h"
#include "client/screen/full.h"
#include "subcommands.h"

const struct usage_row learn_rows[] = {
    LINE_ROW,
    HELP_ROW,
    {.name = NULL},
};

static const char help[] =
    "Teaches a game on boards that each ask for one move, and explain it. The\n"
    "GAMEs are clobber, xadrersi, latrunculi and shakti; without one it asks which.\n"
    "Needs no server.";

enum { GAMES_ASKED = 16 };

/* Asks for a game; NULL at the end of input. */
static const struct game *ask_game(void)
{
    const char *names[GAMES_ASKED];
    int count = 0;

    for (; count < GAMES_ASKED && games[count] != NULL; count++)
        names[count] = games[count]->title;
    int row = ask_row("Which game?", names, count);
    return row >= 0 ? games[row] : NULL;
}

static int learn(const struct tutorial *tutorial, bool by_lines)
{
    struct client client;

    client_open(&client, NULL, "", NULL, NULL);
    if (by_lines || !full_learn(&client, tutorial))
        learn_lines_run(&client, tutorial);
    client_close(&client);
    return client.status;
}

int learn_main(const struct usage_command *command, int argc, char *argv[])
{
    struct command_line line = {.command = command, .text = help, .most = 1};
    int status;

    if (!args_read_line(&line, argc, argv, &status))
        return status;
    const struct game *game =
        line.word_count == 0 ? ask_game() : game_find(line.words[0], strcspn(line.words[0], ":"));
    if (game == NULL && line.word_count > 0) {
        args_refuse(&status, "learn: unknown game '%.40s'", line.words[0]);
        return status;
    }
    return game != NULL ? learn(tutorial_find(game), line.options.line) : 1;
}
