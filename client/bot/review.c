/* `ludus-bot review`: judges the positions of a match, one a line, as JSON or as words. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis.h"
#include "client/bot/bot.h"
#include "common/json_text.h"
#include "common/merit.h"
#include "common/move.h"
#include "common/xmalloc.h"
#include "confine.h"

/* The first look: time for a match of usual length, at most for a position, and nodes. */
enum { FIRST_MS = 700, FIRST_EACH_MS = 50, FIRST_NODES = 1000 };

enum { MOVETIME_MAX = 600000, NODES_MAX = 1000000000, CHUNK_BYTES = 1 << 16 };

/* Without an option each position of a match gets the same nodes wherever it is reviewed, so that
 * it has one review: as many as a hint is thought about, or, in a long match, its share of those
 * for all positions. The solver gets half as many more. */
enum { NODES_EACH = 100000, NODES_ALL = 2000000 };

/* A time stands for these numbers of nodes a millisecond, of the search and of the solver, so that
 * a review is the same each time. All but slow or busy machines search them sooner, and a
 * position may take what others have left of the time for all: only then it is cut short. */
enum { NODES_EACH_MS = 100, PROOF_NODES_EACH_MS = 150, CUT_SHORT = 4 };

struct review_options {
    long movetime_ms, nodes, threads;
    bool words;
};

const struct option_row review_rows[] = {
    {OPTION("movetime", "MS",
            "time for each position in milliseconds; without it,\n"
            "nodes, so that the review of a match is the same\n"
            "everywhere"),
     TO_NUMBER(review_options, movetime_ms, 1, MOVETIME_MAX)},
    {OPTION("nodes", "N", "nodes for each position instead of a time"),
     TO_NUMBER(review_options, nodes, 1, NODES_MAX)},
    {OPTION("threads", "N",
            "threads, each for a position of its own; by default\n"
            "one for each processor"),
     TO_NUMBER(review_options, threads, 1, THREADS_MAX)},
    {OPTION("words", NULL, "print words in a fixed order instead of JSON"),
     TO_FLAG(review_options, words)},
    OPTIONS_LAST_ROWS,
};

static const char help[] =
    "Reviews a match: PGN on standard input, of which it takes the first match. Prints a\n"
    "JSON object a line: one for each ply, again whenever it knows more, and\n"
    "{\"done\":true} at the end. ludus-bot(6) explains the members.";

/* The work of all threads: first every position for a moment, then all proofs, and each position in
 * depth from the end. */
struct work {
    struct analysis analysis;
    struct effort first, deep;
    int64_t end_ms;  /* of the time for all positions, unless nodes are the limit */
    bool words;      /* are printed, not JSON */
    char **printed;  /* owned, by ply: what was printed last, or NULL */
    atomic_int next; /* task, up to twice the positions and the proofs */
    atomic_bool stop;
};

/* Writes words in the order in which a server reads them; - stands for none. */
static void write_words(struct buffer *text, const struct analysis *analysis, int ply,
                        const struct ply_review *review, bool last_win)
{
    static const char *const marks[] = {
        [MARK_NONE] = "-", [MARK_MISTAKE] = "?", [MARK_BLUNDER] = "??"};
    const struct verdict *verdict = &review->verdict;
    const struct position *position = &analysis->positions[ply];
    char move[MOVE_TEXT_MAX] = "-";

    if (ply < analysis->plies)
        move_format(position, analysis->moves[ply], move);
    buffer_printf(text, "%d %s %d %d %d %s %s %s %s", ply, move, verdict->eval, review->chance,
                  review->loss, marks[review->mark], verdict->exact ? "exact" : "-",
                  verdict->deep ? "deep" : "-", last_win ? "last" : "-");
    for (int i = 0; i < verdict->line_plies; i++) {
        move_format(position, verdict->line[i], move);
        buffer_printf(text, " %s", move);
    }
    buffer_puts(text, "\n");
}

static void write_json(struct buffer *json, const struct analysis *analysis, int ply,
                       const struct ply_review *review, bool last_win)
{
    static const char *const marks[] = {
        [MARK_NONE] = "", [MARK_MISTAKE] = "?", [MARK_BLUNDER] = "??"};
    const struct verdict *verdict = &review->verdict;
    const struct position *position = &analysis->positions[ply];
    char text[MOVE_TEXT_MAX], line[ANALYSIS_LINE_MAX][MOVE_TEXT_MAX], why[MERIT_MAX];

    for (int i = 0; i < verdict->line_plies; i++)
        move_format(position, verdict->line[i], line[i]);
    merit_tell(analysis->game, position,
               &(struct best_line){.moves = line,
                                   .plies = verdict->line_plies,
                                   .eval = verdict->eval,
                                   .exact = verdict->exact},
               why);
    json_open(json, NULL, '{');
    json_integer(json, "ply", ply);
    if (ply < analysis->plies)
        move_format(position, analysis->moves[ply], text);
    json_word(json, "move", ply < analysis->plies ? text : NULL);
    json_integer(json, "eval_cp", verdict->eval);
    json_integer(json, "chance", review->chance);
    json_word(json, "best", verdict->line_plies > 0 ? line[0] : NULL);
    if (why[0] != '\0')
        json_word(json, "why", why);
    json_open(json, "pv", '[');
    for (int i = 0; i < verdict->line_plies; i++)
        json_word(json, NULL, line[i]);
    json_close(json, ']');
    json_integer(json, "loss_cp", review->loss);
    json_word(json, "mark", marks[review->mark]);
    json_bool(json, "exact", verdict->exact);
    json_bool(json, "deep", verdict->deep);
    if (last_win)
        json_bool(json, "last_win", true);
    json_close(json, '}');
    buffer_puts(json, "\n");
}

/* Prints what is known about a ply, unless it was told already. Ends the program when nobody reads
 * it. */
static void print_ply(struct work *work, int ply, bool last_win)
{
    struct buffer text = {.length = 0};
    struct ply_review review;

    /* One lock for telling and printing: what is printed last is the latest. */
    flockfile(stdout);
    analysis_tell(&work->analysis, ply, &review);
    if (review.judged && work->words)
        write_words(&text, &work->analysis, ply, &review, last_win);
    else if (review.judged)
        write_json(&text, &work->analysis, ply, &review, last_win);
    buffer_add(&text, "", 1);
    if (review.judged &&
        (work->printed[ply] == NULL || strcmp(work->printed[ply], text.bytes) != 0)) {
        free(work->printed[ply]);
        work->printed[ply] = xstrdup(text.bytes);
        fputs(text.bytes, stdout);
        if (fflush(stdout) != 0) {
            bot_error("standard output", "%s", strerror(errno));
            _exit(1);
        }
    }
    funlockfile(stdout);
    buffer_release(&text);
}

/* Prints a position that was judged, and the plies before it whose loss depends on it. */
static void print_news(void *context, int ply)
{
    struct work *work = context;

    print_ply(work, ply, false);
    do {
        if (--ply >= 0)
            print_ply(work, ply, false);
    } while (ply >= 0 && work->analysis.forced[ply]);
}

/* How long a position may take now, at least a part of its own time. */
static struct effort deep_effort(const struct work *work)
{
    struct effort effort = work->deep;
    int64_t left_ms = work->end_ms - clock_ms(), least_ms = effort.time_ms / CUT_SHORT;

    if (effort.time_ms != INT64_MAX)
        effort.time_ms = left_ms > least_ms ? left_ms : least_ms + 1;
    return effort;
}

static void *run_judge(void *context)
{
    struct work *work = context;
    struct analysis *analysis = &work->analysis;
    struct judge judge = {.rng = 1};
    int count = analysis->plies + 1, task;

    while ((task = atomic_fetch_add(&work->next, 1)) <= 2 * count) {
        int ply = task < count ? task : 2 * count - task;
        struct effort effort = task < count ? work->first : deep_effort(work);
        if (task == count)
            analysis_prove(analysis, &effort, &work->stop, print_news, work);
        if (task == count || analysis->forced[ply])
            continue;
        analysis_judge(analysis, &judge, ply, &effort, &work->stop);
        print_news(work, ply);
    }
    judge_release(&judge);
    return NULL;
}

/* Ends the program as soon as nobody reads its output, be it in the middle of a thought. */
static void *watch_output(void *context)
{
    struct pollfd entry = {.fd = STDOUT_FILENO};

    (void)context;
    while (poll(&entry, 1, -1) < 0 && errno == EINTR)
        continue;
    _exit(1);
}

static bool start_thread(pthread_t *thread, void *(*function)(void *), void *context)
{
    int error = pthread_create(thread, NULL, function, context);

    return error == 0 || bot_error("thread", "%s", strerror(error));
}

/* Reviews in the other threads and in this one. Returns the exit status. */
static int review_matches(struct work *work, int threads)
{
    pthread_t watcher, others[THREADS_MAX];
    int started = 0;

    signal(SIGPIPE, SIG_IGN); /* one way to end when nobody reads */
    if (!start_thread(&watcher, watch_output, NULL))
        return 1;
    pthread_detach(watcher);
    while (started < threads - 1 && start_thread(&others[started], run_judge, work))
        started++;
    run_judge(work);
    for (int i = 0; i < started; i++)
        pthread_join(others[i], NULL);
    struct effort effort = deep_effort(work);
    analysis_settle(&work->analysis, &effort, &work->stop);
    for (int ply = work->analysis.plies; ply >= 0; ply--)
        print_ply(work, ply, false);
    int last_win = analysis_last_win(&work->analysis);
    if (last_win >= 0)
        print_ply(work, last_win, true);
    puts(work->words ? "done" : "{\"done\":true}");
    return 0;
}

/* How long the first look at a position may take, so that all of them take FIRST_MS. */
static int64_t first_ms(int positions, int threads)
{
    int64_t each_ms = (int64_t)FIRST_MS * threads / positions;

    return each_ms > FIRST_EACH_MS ? FIRST_EACH_MS : each_ms > 1 ? each_ms : 1;
}

/* The processors that this program may use. */
static int count_processors(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

    return count < THREADS_MAX ? count : THREADS_MAX;
}

/* The effort that the options ask for: the first look, and what each position gets in depth. */
static void set_effort(struct work *work, const struct review_options *options, int positions,
                       int threads)
{
    uint64_t ms = (uint64_t)options->movetime_ms, nodes = (uint64_t)options->nodes;
    uint64_t share = (uint64_t)(NODES_ALL / positions);

    work->first = (struct effort){.time_ms = INT64_MAX, .nodes = FIRST_NODES};
    work->deep =
        (struct effort){.time_ms = INT64_MAX, .nodes = nodes, .proof_nodes = nodes, .deep = true};
    if (nodes > 0)
        return;
    if (ms > 0) {
        work->first = (struct effort){.time_ms = first_ms(positions, threads), .nodes = UINT64_MAX};
        work->deep.time_ms = options->movetime_ms;
        work->deep.nodes = ms * NODES_EACH_MS;
        work->deep.proof_nodes = ms * PROOF_NODES_EACH_MS;
        work->end_ms = clock_ms() + options->movetime_ms * positions;
    } else {
        work->deep.nodes = share < NODES_EACH ? share : NODES_EACH;
        work->deep.proof_nodes = work->deep.nodes + work->deep.nodes / 2;
    }
}

static int review_text(const struct buffer *text, const struct review_options *options)
{
    int threads = options->threads > 0 ? (int)options->threads : count_processors();
    struct pgn_file file;
    struct cause cause;
    int status = 1;

    if (!pgn_read(&file, text->bytes, text->length, &cause)) {
        bot_error("review", "%s", cause.text);
        return 1;
    }
    if (pgn_check(&file.matches[0], &cause)) {
        int positions = file.matches[0].plies + 1;
        struct work work = {.words = options->words,
                            .printed = xcalloc((size_t)positions, sizeof(char *))};
        set_effort(&work, options, positions, threads);
        analysis_open(&work.analysis, &file.matches[0]);
        status = review_matches(&work, threads);
        analysis_close(&work.analysis);
        for (int i = 0; i < positions; i++)
            free(work.printed[i]);
        free(work.printed);
    } else {
        bot_error("review", "%s", cause.text);
    }
    pgn_release(&file);
    return status;
}

int review_main(const struct usage_command *command, int argc, char **argv)
{
    struct review_options options = {.threads = 0};
    struct buffer text = {.length = 0};
    int status = options_read("ludus-bot", review_rows, OPTIONS_ANYWHERE, argc, argv, &options);

    if (status == OPTIONS_HELP) {
        usage_print_command("ludus-bot", command, help);
        return 0;
    }
    if (status != OPTIONS_RUN)
        return status;
    if (optind < argc) {
        bot_error(argv[optind], "review takes no arguments");
        return EXIT_USAGE;
    }
    size_t count;
    confine_process();
    do {
        char *space = buffer_extend(&text, CHUNK_BYTES);
        count = fread(space, 1, CHUNK_BYTES, stdin);
        text.length -= CHUNK_BYTES - count;
    } while (count > 0 && text.length <= PGN_BYTES_MAX);
    status = review_text(&text, &options);
    buffer_release(&text);
    return status;
}
