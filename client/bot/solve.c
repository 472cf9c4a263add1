/* `ludus-bot solve`: finds who wins a position of Clobber with best play. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bot.h"
#include "client/bot/clobber/clobber_book.h"
#include "client/bot/clobber/clobber_proof.h"
#include "common/games/clobber.h"
#include "common/move.h"

enum { LEAST_MB = 1, MOST_MB = 1 << 20, OPENINGS_MAX = 8 };

struct solve_options {
    long memory_mb, threads, effort, plies, progress_s;
    const char *book, *file;
};

/* What show_progress() goes by. */
struct watch {
    int64_t start_ms, next_ms, every_ms;
    bool on_terminal;
};

const struct usage_row solve_rows[] = {
    {OPTION("memory", "MB", "megabytes of memory"),
     TO_NUMBER(solve_options, memory_mb, LEAST_MB, MOST_MB), .standard = "256"},
    {OPTION("threads", "N", "threads, 1 or 2"),
     TO_NUMBER(solve_options, threads, 1, SOLVE_THREADS_MAX), .standard = "1"},
    {OPTION("file", "FILE", "keep what is proven in FILE, and go on from there"),
     TO_TEXT(solve_options, file)},
    {OPTION("progress", "S", "print a line of progress every S seconds; 0: none"),
     TO_NUMBER(solve_options, progress_s, 0, 86400), .standard = "0"},
    {OPTION("book", "FILE", "write the upper part of the proof into FILE"),
     TO_TEXT(solve_options, book)},
    {OPTION("openings", "N", "--book: add winning replies to all openings of up to N plies"),
     TO_NUMBER(solve_options, plies, 0, OPENINGS_MAX), .standard = "0"},
    {OPTION("effort", "N", "--book: leave out what takes up to 2^N nodes"),
     TO_NUMBER(solve_options, effort, 0, 60), .standard = "12"},
    USAGE_LAST_ROWS,
};

static int print_help(void)
{
    puts("Usage: ludus-bot solve [OPTION]... clobber:WxH\n"
         "       ludus-bot solve [OPTION]... \"POSITION\"\n"
         "Proves who wins Clobber with best play, from the start or from a position.\n");
    usage_print_rows(solve_rows);
    puts("\n"
         "Prints four lines, and nothing else, to standard output:\n"
         "  winner: white      or black\n"
         "  move: b1c1         a winning move, or - if the side to move loses\n"
         "  nodes: 265886      positions searched\n"
         "  seconds: 1.48      that it took\n"
         "White moves first. The status is 0 when it is proven, 1 when it cannot be.\n"
         "Each group of stones must fit into 8x8, 10x6 or 12x5 squares. The board may be\n"
         "longer than those of matches: up to 12x5 or 5x12.");
    return 0;
}

static void print_progress(const struct solve_progress *progress, double seconds)
{
    fprintf(stderr, "%d of %d moves tried, %.1f million nodes, %.0f s ", progress->moves_done,
            progress->moves, (double)progress->nodes / 1e6, seconds);
}

/* How long the moves that are left would take if they were like those before. */
static void print_estimate(const struct solve_progress *progress, double seconds)
{
    int left = progress->moves - progress->moves_done;

    if (progress->moves_done > 0)
        fprintf(stderr, "(the others, at that pace: %.0f s)",
                seconds * left / progress->moves_done);
    fputc('\n', stderr);
}

/* Prints a line every so often, or one over the last one on a terminal. */
static void show_progress(void *context, const struct solve_progress *progress)
{
    struct watch *watch = context;
    int64_t now_ms = clock_ms();
    double seconds = (double)(now_ms - watch->start_ms) / 1000;

    if (watch->on_terminal) {
        fputc('\r', stderr);
        print_progress(progress, seconds);
    } else if (now_ms >= watch->next_ms) {
        watch->next_ms = now_ms + watch->every_ms;
        print_progress(progress, seconds);
        print_estimate(progress, seconds);
    }
}

static void clear_progress(void)
{
    fprintf(stderr, "\r%60s\r", "");
}

/* Reads the argument: a position, which has spaces in it, or a game. */
static bool take_position(const char *text, struct position *position)
{
    struct cause cause;

    if (strchr(text, ' ') != NULL)
        return clobber.parse(NULL, text, position, &cause) || bot_error("solve", "%s", cause.text);
    size_t length = strcspn(text, ":");
    const char *size = text[length] == ':' ? text + length + 1 : NULL;
    if (game_find(text, length) == &clobber)
        return clobber_start_long(size, position, &cause) || bot_error("solve", "%s", cause.text);
    const struct game *game = game_open(text, position, NULL, &cause);
    return game == NULL ? bot_error("solve", "%s", cause.text)
                        : bot_error("solve", "only Clobber can be solved, not %s", game->title);
}

static void print_answer(const struct position *position, const struct solve_answer *answer,
                         int64_t elapsed_ms)
{
    char move[MOVE_TEXT_MAX] = "-";

    if (answer->wins)
        move_format(position, answer->move, move);
    enum color winner = answer->wins ? position->side : !position->side;
    printf("winner: %s\nmove: %s\nnodes: %llu\nseconds: %.2f\n", color_name(winner), move,
           (unsigned long long)answer->nodes, (double)elapsed_ms / 1000);
}

static void write_positions(FILE *book, const struct positions *proof)
{
    char text[POSITION_TEXT_MAX];

    for (size_t i = 0; i < proof->count; i++) {
        clobber.format(&proof->at[i], text);
        fprintf(book, "%s\n", text);
    }
}

static bool write_book(FILE *book, struct solver *solver, const struct position *position,
                       const struct solve_options *options)
{
    struct positions proof;
    bool done = proof_collect(&proof, solver, position, (int)options->plies, (int)options->effort);

    if (!done)
        bot_error("--book", "the proof is incomplete: a solver could not be started");
    else if (ftruncate(fileno(book), 0) == 0)
        write_positions(book, &proof);
    else
        done = bot_error("--book", "%s", strerror(errno));
    positions_release(&proof);
    return done;
}

static bool say_why(enum solve_status status)
{
    if (status == SOLVE_TOO_WIDE)
        return bot_error(
            "solve", "too large: a group of stones does not fit into 8x8, 10x6 or 12x5 squares");
    return bot_error("solve", "a thread could not be started");
}

/* Solves the position, and writes the book unless it is NULL. */
static bool solve(struct solver *solver, const struct position *position,
                  const struct solve_options *options, FILE *book)
{
    struct watch watch = {.start_ms = clock_ms(),
                          .every_ms = options->progress_s * 1000,
                          .on_terminal = options->progress_s == 0 && isatty(STDERR_FILENO)};
    bool shows = watch.on_terminal || options->progress_s > 0;
    struct solve_request request = {.position = *position,
                                    .limits = NO_LIMITS,
                                    .report = shows ? show_progress : NULL,
                                    .context = &watch};
    struct solve_answer answer;

    watch.next_ms = watch.start_ms + watch.every_ms;
    enum solve_status status = solver_solve(solver, &request, &answer);
    if (watch.on_terminal)
        clear_progress();
    if (status != SOLVE_DONE)
        return say_why(status);
    print_answer(position, &answer, clock_ms() - watch.start_ms);
    fflush(stdout); /* a book may take long */
    return book == NULL || write_book(book, solver, position, options);
}

static bool run(const struct position *position, const struct solve_options *options, FILE *book)
{
    size_t memory_bytes = (size_t)options->memory_mb << 20;
    struct solver *solver = solver_new(memory_bytes, (int)options->threads, true);
    struct cause cause;

    if (solver == NULL)
        return bot_error("--memory", "not enough memory: try fewer megabytes");
    bool done = options->file == NULL ||
                solver_use_file(solver, options->file, memory_bytes, &cause) ||
                bot_error("--file", "%s", cause.text);
    done = done && solve(solver, position, options, book);
    solver_free(solver);
    return done;
}

static bool open_and_run(const struct position *position, const struct solve_options *options)
{
    FILE *book =
        fopen(options->book,
              "ae"); /* before the proof, which takes long; an older book stays until then */

    if (book == NULL)
        return bot_error(options->book, "%s", strerror(errno));
    bool done = run(position, options, book), failed = ferror(book) != 0;
    if (fclose(book) != 0 || failed)
        return bot_error(options->book, "%s", strerror(errno));
    return done;
}

int solve_main(const struct usage_command *command, int argc, char **argv)
{
    struct solve_options options = {.book = NULL};
    struct position position;
    int status = usage_read("ludus-bot", solve_rows, ":", argc, argv, NULL, &options);

    (void)command;
    if (status == USAGE_HELP)
        return print_help();
    if (status != USAGE_READ)
        return status;
    if (argc - optind != 1) {
        bot_error("solve", "give one argument: clobber:WxH or a quoted position");
        return EXIT_USAGE;
    }
    if (!take_position(argv[optind], &position))
        return EXIT_USAGE;
    if (options.book != NULL && position.width * position.height > BOOK_SQUARES_MAX) {
        bot_error("--book", "the board has more than %d squares", BOOK_SQUARES_MAX);
        return EXIT_USAGE;
    }
    bool done =
        options.book != NULL ? open_and_run(&position, &options) : run(&position, &options, NULL);
    return done ? 0 : 1;
}
