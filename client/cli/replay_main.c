#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "client/lines/stepper.h"
#include "client/model/replay_file.h"
#include "client/screen/full.h"
#include "common/pgn.h"
#include "subcommands.h"

enum { ALL, LINE, HELP };

const struct usage_row replay_rows[] = {
    {OPTION("all", NULL, "only check"), .code = ALL},
    {OPTION("line", NULL, "work line by line instead of in full screen"), .code = LINE},
    {OPTION("help", NULL, "print this help"), .code = HELP},
    {.name = NULL},
};

static const char help[] =
    "Checks each match of a PGN file against the rules, then steps through them.\n"
    "With --all, and from or into a pipe, it only checks and prints one line a match.\n"
    "FILE is what `ludus record MATCH --pgn` writes; - stands for standard input.";

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "ludus: %s: %s\n", what, why);
    return 1;
}

/* path is borrowed from argv. */
struct wishes {
    const char *path;
    bool all, line;
};

static bool read_options(struct wishes *wishes, const struct usage_command *command, int argc,
                         char *argv[], int *status)
{
    struct option table[USAGE_ROWS_MAX];
    int option;

    usage_longs(replay_rows, table);
    *wishes = (struct wishes){.path = "-"};
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", table, NULL)) != -1) {
        if (option == HELP) {
            usage_print_command("ludus", command, help);
            *status = 0;
            return false;
        }
        if (option != ALL && option != LINE)
            return args_refuse_word(option, argv, status);
        wishes->all = wishes->all || option == ALL;
        wishes->line = wishes->line || option == LINE;
    }
    if (optind == argc)
        return args_refuse(status, "replay: which file?");
    wishes->path = argv[optind++];
    return optind == argc || args_refuse(status, "%s: unexpected argument", argv[optind]);
}

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

static int run(const struct wishes *wishes, const struct pgn_file *file)
{
    bool all = wishes->all;
    const char *path = wishes->path;
    /* Nobody can type where the file itself comes from standard input. */
    bool steps = !all && strcmp(path, "-") != 0 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    int wrong = check_all(file, steps ? stderr : stdout, steps);

    if (fflush(stdout) != 0)
        return 0; /* main() reports that */
    if (steps && wrong == 0)
        return step(file, wishes->line);
    return wrong > 0;
}

int replay_main(const struct usage_command *command, int argc, char *argv[])
{
    struct pgn_file file;
    struct cause cause;
    struct wishes wishes;
    int status;

    if (!read_options(&wishes, command, argc, argv, &status))
        return status;
    if (!replay_file_read(wishes.path, &file, &cause))
        return fail(wishes.path, cause.text);
    status = run(&wishes, &file);
    pgn_release(&file);
    return status;
}
