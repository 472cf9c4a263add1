/* `ludus-bot solve`: finds who wins a position of Clobber with best play. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bot.h"
#include "client/bot/clobber/clobber_book.h"
#include "common/games/clobber.h"
#include "common/move.h"

enum { LEAST_MB = 1, MOST_MB = 1 << 20, OPENINGS_MAX = 8, THREADS_ACCEPTED = 2 };

struct solve_options {
    long memory_mb, threads, effort, plies, progress_s;
    const char *book;
    bool outcome, all, json;
};

/* What show_progress() goes by. */
struct progress_watch {
    int64_t start_ms, next_ms, every_ms;
    bool on_terminal;
};

const struct option_row solve_rows[] = {
    {OPTION("memory", "MB", "megabytes of memory"),
     TO_NUMBER(solve_options, memory_mb, LEAST_MB, MOST_MB), .standard = "256"},
    {OPTION("outcome", NULL, "print who wins if White begins and if Black does: N, P, L or R"),
     TO_FLAG(solve_options, outcome)},
    {OPTION("all", NULL, "print every winning move, a line each"), TO_FLAG(solve_options, all)},
    {OPTION("json", NULL, "print both, and the rest, as one object"), TO_FLAG(solve_options, json)},
    {OPTION("threads", "N", "ignored: the solver has one thread"),
     TO_NUMBER(solve_options, threads, 1, THREADS_ACCEPTED), .standard = "1"},
    {OPTION("progress", "S", "print a line of progress every S seconds; 0: none"),
     TO_NUMBER(solve_options, progress_s, 0, 86400), .standard = "0"},
    {OPTION("book", "FILE", "write the upper part of the proof into FILE"),
     TO_WORD(solve_options, book), .path = true},
    {OPTION("openings", "N", "--book: add winning replies to all openings of up to N plies"),
     TO_NUMBER(solve_options, plies, 0, OPENINGS_MAX), .standard = "0"},
    {OPTION("effort", "N", "--book: leave out what takes up to 2^N nodes"),
     TO_NUMBER(solve_options, effort, 0, 60), .standard = "12"},
    OPTIONS_LAST_ROWS,
};

static int print_help(void)
{
    puts("Usage: ludus-bot solve [OPTION]... clobber:WxH\n"
         "       ludus-bot solve [OPTION]... \"POSITION\"\n"
         "Proves who wins Clobber with best play, from the start or from a position.\n");
    usage_print_rows(solve_rows);
    puts("\n"
         "Prints five lines, and nothing else, to standard output:\n"
         "  winner: white      or black\n"
         "  move: b1c1         a winning move, or - if the side to move loses\n"
         "  nodes: 265886      positions searched\n"
         "  seconds: 1.48      that it took\n"
         "  mover: wins        the side to move, or loses\n"
         "White moves first. The status is 0 when it is proven, 1 when it cannot be.\n"
         "\n"
         "With --outcome it prints the class instead: N (whoever moves wins), P (whoever\n"
         "moves loses), L (White wins, whoever moves) or R (Black does). With --all it\n"
         "prints the winning moves of the side to move, or - if there is none. With both,\n"
         "the class comes first.\n"
         "\n"
         "A board may be longer than those of matches: at most 20 files, 20 ranks and 64\n"
         "squares. Each group of stones must fit into one box for all, of at most 64\n"
         "squares, such as 8x8, 10x6 or 20x3.");
    return 0;
}

static void print_progress(const struct solve_progress *progress, double seconds)
{
    fprintf(stderr, "%d of %d moves tried, %.1f million nodes, %.0f s ", progress->moves_done,
            progress->moves, (double)progress->nodes / 1e6, seconds);
}

/* Prints a line every so often, or one over the last one on a terminal. */
static void show_progress(void *context, const struct solve_progress *progress)
{
    struct progress_watch *watch = context;
    int64_t now_ms = clock_ms();
    double seconds = (double)(now_ms - watch->start_ms) / 1000;

    if (watch->on_terminal) {
        fputc('\r', stderr);
        print_progress(progress, seconds);
    } else if (now_ms >= watch->next_ms) {
        watch->next_ms = now_ms + watch->every_ms;
        print_progress(progress, seconds);
        if (progress->moves_done > 0)
            fprintf(stderr, "(the others, at that pace: %.0f s)",
                    seconds * (progress->moves - progress->moves_done) / progress->moves_done);
        fputc('\n', stderr);
    }
}

/* Reads the argument: a position, which has spaces in it, or a game. */
static bool read_position(const char *text, struct position *position)
{
    struct cause cause;

    if (strchr(text, ' ') != NULL)
        return clobber_parse_long(text, position, &cause) || bot_error("solve", "%s", cause.text);
    size_t length = strcspn(text, ":");
    const char *size = text[length] == ':' ? text + length + 1 : NULL;
    if (game_find(text, length) == &clobber)
        return clobber_start_long(size, position, &cause) || bot_error("solve", "%s", cause.text);
    const struct game *game = game_open(text, position, NULL, &cause);
    return game == NULL ? bot_error("solve", "%s", cause.text)
                        : bot_error("solve", "only Clobber can be solved, not %s", game->title);
}

/* Reports what keeps the solver from an answer. */
static bool say_why(enum solve_status status)
{
    return bot_error("solve", "%s",
                     status == SOLVE_TOO_WIDE
                         ? "too large: no box of 64 squares or fewer takes every group of stones"
                         : "too deep: the moves of a line do not fit into the stack");
}

static bool write_book(FILE *book, struct solver *solver, const struct position *position,
                       const struct solve_options *options)
{
    char text[POSITION_TEXT_MAX];
    struct positions proof;
    struct position refuted;
    enum proof_status status = proof_collect(&proof, solver, position, (int)options->plies,
                                             (int)options->effort, &refuted);
    bool done = status == PROOF_DONE;

    if (status == PROOF_FALSE) {
        clobber.format(&refuted, text);
        bot_error("--book", "the proof is false: \"%s\" is lost for the side to move", text);
    } else if (status == PROOF_NO_MEMORY)
        bot_error("--book", "the proof is incomplete: not enough memory");
    else if (status == PROOF_TOO_DEEP)
        bot_error("--book", "the proof is incomplete: a position is too deep for the solver");
    else if (ftruncate(fileno(book), 0) != 0)
        done = bot_error("--book", "%s", strerror(errno));
    for (size_t i = 0; i < proof.count && done; i++) {
        clobber.format(&proof.at[i], text);
        fprintf(book, "%s\n", text);
    }
    positions_release(&proof);
    return done;
}

/* What is known about a position, as far as it was asked for. */
struct findings {
    const struct position *position;
    bool wins[2]; /* by enum color: this side if it is to move */
    struct move move, winning[MOVES_MAX];
    int count; /* of winning moves */
    uint64_t nodes;
    double seconds;
};

/* Solves one position more of a run. */
static bool solve_one(struct solver *solver, struct solve_request *request,
                      const struct position *position, struct solve_answer *answer,
                      struct findings *found)
{
    request->position = *position;
    enum solve_status status = solver_solve(solver, request, answer);
    found->nodes += answer->nodes;
    return status == SOLVE_DONE || say_why(status);
}

/* Finds every winning move: those that leave the other side a lost position. */
static bool find_winning(struct solver *solver, struct solve_request *request,
                         struct findings *found)
{
    struct move moves[MOVES_MAX];
    int count = found->wins[found->position->side] ? clobber.legal(found->position, moves) : 0;
    struct solve_answer answer;

    for (int i = 0; i < count; i++) {
        struct position next = *found->position;
        clobber.apply(&next, moves[i]);
        if (!solve_one(solver, request, &next, &answer, found))
            return false;
        if (!answer.wins)
            found->winning[found->count++] = moves[i];
    }
    return true;
}

static char outcome_of(const struct findings *found)
{
    return found->wins[WHITE] ? (found->wins[BLACK] ? 'N' : 'L') : found->wins[BLACK] ? 'R' : 'P';
}

static void print_findings(const struct findings *found, const struct solve_options *options)
{
    enum color side = found->position->side;
    const char *winner = color_name(found->wins[side] ? side : !side);
    const char *mover = found->wins[side] ? "wins" : "loses";
    char text[POSITION_TEXT_MAX], move[MOVE_TEXT_MAX] = "-";

    if (options->json) {
        clobber.format(found->position, text);
        printf("{\"position\":\"%s\",\"outcome\":\"%c\",\"winner\":\"%s\",\"mover\":\"%s\","
               "\"moves\":[",
               text, outcome_of(found), winner, mover);
        for (int i = 0; i < found->count; i++) {
            move_format(found->position, found->winning[i], move);
            printf("%s\"%s\"", i > 0 ? "," : "", move);
        }
        printf("],\"nodes\":%llu,\"seconds\":%.2f}\n", (unsigned long long)found->nodes,
               found->seconds);
        return;
    }
    if (options->outcome)
        printf("%c\n", outcome_of(found));
    for (int i = 0; options->all && i < found->count; i++) {
        move_format(found->position, found->winning[i], move);
        puts(move);
    }
    if (options->all && found->count == 0)
        puts("-");
    if (options->outcome || options->all)
        return;
    if (found->wins[side])
        move_format(found->position, found->move, move);
    printf("winner: %s\nmove: %s\nnodes: %llu\nseconds: %.2f\nmover: %s\n", winner, move,
           (unsigned long long)found->nodes, found->seconds, mover);
}

/* Finds what the options ask for. */
static bool find_all(struct solver *solver, struct solve_request *request,
                     const struct solve_options *options, struct findings *found)
{
    struct position other = *found->position;
    struct solve_answer answer;

    if (!solve_one(solver, request, found->position, &answer, found))
        return false;
    found->wins[other.side] = answer.wins;
    found->move = answer.move;
    if ((options->all || options->json) && !find_winning(solver, request, found))
        return false;
    if (!options->outcome && !options->json)
        return true;
    other.side = !other.side;
    if (!solve_one(solver, request, &other, &answer, found))
        return false;
    found->wins[other.side] = answer.wins;
    return true;
}

/* Solves the position, and writes the book unless it is NULL. */
static bool solve_position(struct solver *solver, const struct position *position,
                           const struct solve_options *options, FILE *book)
{
    struct progress_watch watch = {.start_ms = clock_ms(),
                                   .every_ms = options->progress_s * 1000,
                                   .on_terminal =
                                       options->progress_s == 0 && isatty(STDERR_FILENO)};
    bool shows = watch.on_terminal || options->progress_s > 0;
    struct solve_request request = {
        .limits = NO_LIMITS, .report = shows ? show_progress : NULL, .context = &watch};
    struct findings found = {.position = position};

    watch.next_ms = watch.start_ms + watch.every_ms;
    bool done = find_all(solver, &request, options, &found);
    if (watch.on_terminal)
        fprintf(stderr, "\r%60s\r", "");
    if (!done)
        return false;
    found.seconds = (double)(clock_ms() - watch.start_ms) / 1000;
    print_findings(&found, options);
    fflush(stdout); /* a book may take long */
    return book == NULL || write_book(book, solver, position, options);
}

static bool run_solver(const struct position *position, const struct solve_options *options,
                       FILE *book)
{
    size_t memory_bytes = (size_t)options->memory_mb << 20;
    struct solver *solver = solver_new(memory_bytes, true);

    if (solver == NULL)
        return bot_error("--memory", "not enough memory: try fewer megabytes");
    bool done = solve_position(solver, position, options, book);
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
    bool done = run_solver(position, options, book), failed = ferror(book) != 0;
    if (fclose(book) != 0 || failed)
        return bot_error(options->book, "%s", strerror(errno));
    return done;
}

int solve_main(const struct usage_command *command, int argc, char **argv)
{
    struct solve_options options = {.book = NULL};
    struct position position;
    int status = options_read("ludus-bot", solve_rows, OPTIONS_ANYWHERE, argc, argv, &options);

    (void)command;
    if (status == OPTIONS_HELP)
        return print_help();
    if (status != OPTIONS_RUN)
        return status;
    if (argc - optind != 1) {
        bot_error("solve", "give one argument: clobber:WxH or a quoted position");
        return EXIT_USAGE;
    }
    if (!read_position(argv[optind], &position))
        return EXIT_USAGE;
    if (options.book != NULL && position.width * position.height > BOOK_SQUARES_MAX) {
        bot_error("--book", "the board has more than %d squares", BOOK_SQUARES_MAX);
        return EXIT_USAGE;
    }
    bool done = options.book != NULL ? open_and_run(&position, &options)
                                     : run_solver(&position, &options, NULL);
    return done ? 0 : 1;
}
