#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "client/lines/stepper.h"
#include "client/model/record.h"
#include "client/screen/full.h"
#include "common/pgn.h"
#include "subcommands.h"

const struct usage_row replay_rows[] = {
    {OPTION("all", NULL, "only check"), TO_FLAG(options, all)},
    LINE_ROW,
    HELP_ROW,
    {.name = NULL},
};

static const char help[] =
    "Checks each match of a PGN file against the rules, then steps through them.\n"
    "With --all, and from or into a pipe, it only checks and prints one line a match.\n"
    "FILE is what `ludus record MATCH --pgn` writes; - stands for standard input.";

/* Prints a line for each match, or with only_wrong for each invalid one. Returns how many are
 * invalid. */
static int check_all(const struct pgn_file *file, FILE *stream, bool only_wrong)
{
    int wrong = 0;

    for (int i = 0; i < file->count; i++) {
        const struct pgn_match *match = &file->matches[i];
        const char *reason = reason_text(match->outcome.reason);
        struct cause cause;
        bool good = pgn_check(match, &cause);
        wrong += !good;
        if (good && only_wrong)
            continue;
        fprintf(stream, "match %s (line %d): ", match->match != NULL ? match->match : "?",
                match->line);
        if (good)
            fprintf(stream, "ok, %s, %d %s, %s%s%s\n", match->game->name, match->plies,
                    match->plies == 1 ? "ply" : "plies", result_text(match->outcome.result),
                    reason != NULL ? " " : "", reason != NULL ? reason : "");
        else
            fprintf(stream, "%s\n", cause.text);
    }
    return wrong;
}

static int step(const struct pgn_file *file, bool by_lines)
{
    struct client client;

    client_open(&client, NULL, "", NULL, NULL);
    if (by_lines || !full_replay(&client, file))
        stepper_run(&client, file);
    client_close(&client);
    return client.status;
}

static int run(const struct command_line *line, const struct pgn_file *file)
{
    /* Nobody can type where the file itself comes from standard input. */
    bool steps = !line->options.all && strcmp(line->words[0], "-") != 0 && isatty(STDIN_FILENO) &&
                 isatty(STDOUT_FILENO);
    int wrong = check_all(file, steps ? stderr : stdout, steps);

    if (fflush(stdout) != 0)
        return 0; /* main() reports that */
    if (steps && wrong == 0)
        return step(file, line->options.line);
    return wrong > 0;
}

int replay_main(const struct usage_command *command, int argc, char *argv[])
{
    struct command_line line = {.command = command, .text = help, .least = 1, .most = 1};
    struct pgn_file file;
    struct cause cause;
    int status;

    if (!args_read_line(&line, argc, argv, &status))
        return status;
    if (!record_read_file(line.words[0], &file, &cause)) {
        fprintf(stderr, "ludus: %s: %s\n", line.words[0], cause.text);
        return 1;
    }
    status = run(&line, &file);
    pgn_release(&file);
    return status;
}
