/* `ludus-bot solve`: who wins a position of Clobber with best play. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bot.h"
#include "client/bot/clobber/clobber_solve.h"
#include "common/move.h"
#include "common/number.h"

enum { OPTION_MEMORY = OPTIONS_OWN, OPTION_THREADS };

enum { USUAL_MB = 256, LEAST_MB = 1, MOST_MB = 1 << 20 };

const struct usage_row solve_rows[] = {
    {"memory", "MB", "megabytes of memory (default 256)", OPTION_MEMORY},
    {"threads", "N", "threads, 1 or 2 (default 1)", OPTION_THREADS},
    {"help", NULL, "print this help", OPTION_HELP},
    {"version", NULL, "print the version", OPTION_VERSION},
    {.name = NULL},
};

static int print_help(void)
{
    puts("Usage: ludus-bot solve [OPTION]... clobber:WxH\n"
         "       ludus-bot solve [OPTION]... \"POSITION\"\n"
         "Proves who wins Clobber with best play, from the start or from a position.\n");
    usage_print_rows(solve_rows);
    puts("\n"
         "Prints the winner, `first` (the side to move) or `second`; a winning move, or `-`; the\n"
         "number of positions searched; the seconds that took. Each group of stones must fit\n"
         "into 8x8 or 10x6 squares.");
    return 0;
}

/* A progress line on a terminal, written over by the next one. */
static void show_progress(void *context, const struct solve_progress *progress)
{
    const int64_t *start_ms = context;
    double seconds = (double)(clock_ms() - *start_ms) / 1000;

    fprintf(stderr, "\r%d of %d moves tried, %.1f million nodes, %.0f s ", progress->moves_done,
            progress->moves, (double)progress->nodes / 1e6, seconds);
}

static void clear_progress(void)
{
    fprintf(stderr, "\r%60s\r", "");
}

static bool take_number(const char *name, int min, int max, long *number)
{
    if (number_parse(optarg, strlen(optarg), min, max, number))
        return true;
    bot_error(name, "invalid value '%s': write a number from %d to %d", optarg, min, max);
    return false;
}

/* What the argument names: a position has spaces in it, a game has none. */
static bool take_position(const char *text, struct position *position)
{
    struct cause cause;

    if (strchr(text, ' ') != NULL) {
        if (clobber.parse(NULL, text, position, &cause))
            return true;
        bot_error("solve", "%s", cause.text);
        return false;
    }
    const struct game *game = game_open(text, position, NULL, &cause);
    if (game == NULL)
        bot_error("solve", "%s", cause.text);
    else if (game != &clobber)
        bot_error("solve", "only Clobber can be solved, not %s", game->title);
    return game == &clobber;
}

static void print_answer(const struct position *position, const struct solve_answer *answer,
                         int64_t elapsed_ms)
{
    char move[MOVE_TEXT_MAX] = "-";

    if (answer->wins)
        move_format(position, answer->move, move);
    printf("winner: %s\nmove: %s\nnodes: %llu\nseconds: %.2f\n", answer->wins ? "first" : "second",
           move, (unsigned long long)answer->nodes, (double)elapsed_ms / 1000);
}

/* Returns the exit status. */
static int solve(const struct position *position, size_t memory_bytes, int threads)
{
    int64_t start_ms = clock_ms();
    bool shows = isatty(STDERR_FILENO);
    struct solve_request request = {.position = *position,
                                    .limits = NO_LIMITS,
                                    .report = shows ? show_progress : NULL,
                                    .context = &start_ms};
    struct solve_answer answer;
    struct solver *solver = solver_new(memory_bytes, threads, true);

    if (solver == NULL) {
        bot_error("memory", "not enough memory: try fewer megabytes");
        return 1;
    }
    enum solve_status status = solver_solve(solver, &request, &answer);
    solver_free(solver);
    if (shows)
        clear_progress();
    if (status == SOLVE_DONE)
        print_answer(position, &answer, clock_ms() - start_ms);
    else if (status == SOLVE_TOO_WIDE)
        bot_error("solve", "too large: a group of stones does not fit into 8x8 or 10x6 squares");
    else
        bot_error("solve", "a thread could not be started");
    return status == SOLVE_DONE ? 0 : 1;
}

int solve_main(const struct usage_command *command, int argc, char **argv)
{
    (void)command;
    struct option longs[USAGE_ROWS_MAX];
    struct position position;
    long memory_mb = USUAL_MB, threads = 1;
    int code;

    usage_longs(solve_rows, longs);
    while ((code = getopt_long(argc, argv, ":", longs, NULL)) != -1) {
        bool good = true;
        switch (code) {
        case OPTION_MEMORY:
            good = take_number("--memory", LEAST_MB, MOST_MB, &memory_mb);
            break;
        case OPTION_THREADS:
            good = take_number("--threads", 1, SOLVE_THREADS_MAX, &threads);
            break;
        case OPTION_HELP:
            return print_help();
        case OPTION_VERSION:
            return bot_print_version();
        default:
            return bot_bad_option(code, argv);
        }
        if (!good)
            return EXIT_USAGE;
    }
    if (argc - optind != 1) {
        bot_error("solve", "give one argument: clobber:WxH or a quoted position");
        return EXIT_USAGE;
    }
    if (!take_position(argv[optind], &position))
        return EXIT_USAGE;
    return solve(&position, (size_t)memory_mb << 20, (int)threads);
}
