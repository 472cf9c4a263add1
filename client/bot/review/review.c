/* `ludus-bot review`: judges the positions of a match, one JSON object a line. */
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
#include "common/move.h"
#include "common/xmalloc.h"

/* The first look takes so long for a match of usual length, and at most so long for a position. */
enum { FIRST_MS = 700, FIRST_EACH_MS = 50 };

enum { MOVETIME_MAX = 600000, CHUNK_BYTES = 1 << 16 };

struct review_options {
    long movetime_ms, threads;
};

const struct usage_row review_rows[] = {
    {OPTION("movetime", "MS", "time for each position in milliseconds"),
     TO_NUMBER(review_options, movetime_ms, 1, MOVETIME_MAX), .standard = "1000"},
    {OPTION("threads", "N",
            "threads, each for a position of its own; by default\n"
            "one for each processor"),
     TO_NUMBER(review_options, threads, 1, THREADS_MAX)},
    USAGE_LAST_ROWS,
};

static const char help[] =
    "Reviews a match: PGN on standard input, of which it takes the first match. Prints a\n"
    "JSON object a line: one for each ply, again whenever it knows more, and\n"
    "{\"done\":true} at the end. ludus-bot(6) explains the members.";

/* The work of all threads: first every position for a moment, then in depth from the end. */
struct work {
    struct analysis analysis;
    struct effort first, deep;
    atomic_int next; /* task, up to twice the positions */
    atomic_bool stop;
};

static void write_ply(struct buffer *json, const struct analysis *analysis, int ply,
                      const struct ply_review *review, bool last_win)
{
    static const char *const marks[] = {
        [MARK_NONE] = "", [MARK_MISTAKE] = "?", [MARK_BLUNDER] = "??"};
    const struct verdict *verdict = &review->verdict;
    const struct position *position = &analysis->positions[ply];
    char text[MOVE_TEXT_MAX];

    json_open(json, NULL, '{');
    json_integer(json, "ply", ply);
    if (ply < analysis->plies)
        move_format(position, analysis->moves[ply], text);
    json_word(json, "move", ply < analysis->plies ? text : NULL);
    json_integer(json, "eval_cp", verdict->eval);
    json_integer(json, "chance", review->chance);
    if (verdict->line_plies > 0)
        move_format(position, verdict->line[0], text);
    json_word(json, "best", verdict->line_plies > 0 ? text : NULL);
    json_open(json, "pv", '[');
    for (int i = 0; i < verdict->line_plies; i++) {
        move_format(position, verdict->line[i], text);
        json_word(json, NULL, text);
    }
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

/* Prints what is known about a ply. Ends the program when nobody reads it. */
static void print_ply(struct analysis *analysis, int ply, bool last_win)
{
    struct buffer json = {.length = 0};
    struct ply_review review;

    /* One lock for telling and printing: what is printed last is the latest. */
    flockfile(stdout);
    analysis_tell(analysis, ply, &review);
    if (review.judged) {
        write_ply(&json, analysis, ply, &review, last_win);
        fwrite(json.bytes, 1, json.length, stdout);
        if (fflush(stdout) != 0) {
            bot_error("standard output", "%s", strerror(errno));
            _exit(1);
        }
    }
    funlockfile(stdout);
    buffer_release(&json);
}

/* Prints a position that was judged, and the plies before it whose loss depends on it. */
static void print_news(struct analysis *analysis, int ply)
{
    print_ply(analysis, ply, false);
    do {
        if (--ply >= 0)
            print_ply(analysis, ply, false);
    } while (ply >= 0 && analysis->forced[ply]);
}

static void *run(void *context)
{
    struct work *work = context;
    struct analysis *analysis = &work->analysis;
    struct judge judge = {.rng = 1};
    int count = analysis->plies + 1, task;

    while ((task = atomic_fetch_add(&work->next, 1)) < 2 * count) {
        bool deep = task >= count;
        int ply = deep ? 2 * count - 1 - task : task;
        if (analysis->forced[ply])
            continue;
        analysis_judge(analysis, &judge, ply, deep ? &work->deep : &work->first, &work->stop);
        print_news(analysis, ply);
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
static int review(struct work *work, int threads)
{
    pthread_t watcher, others[THREADS_MAX];
    int started = 0;

    signal(SIGPIPE, SIG_IGN); /* one way to end when nobody reads */
    if (!start_thread(&watcher, watch_output, NULL))
        return 1;
    pthread_detach(watcher);
    while (started < threads - 1 && start_thread(&others[started], run, work))
        started++;
    run(work);
    for (int i = 0; i < started; i++)
        pthread_join(others[i], NULL);
    int last_win = analysis_last_win(&work->analysis);
    if (last_win >= 0)
        print_ply(&work->analysis, last_win, true);
    puts("{\"done\":true}");
    return 0;
}

static void read_input(struct buffer *text)
{
    size_t count;

    do {
        char *space = buffer_extend(text, CHUNK_BYTES);
        count = fread(space, 1, CHUNK_BYTES, stdin);
        text->length -= CHUNK_BYTES - count;
    } while (count > 0 && text->length <= PGN_BYTES_MAX);
}

/* How long the first look at a position may take, so that all of them take FIRST_MS. */
static int64_t first_ms(int positions, int threads)
{
    int64_t each_ms = (int64_t)FIRST_MS * threads / positions;

    return each_ms > FIRST_EACH_MS ? FIRST_EACH_MS : each_ms > 1 ? each_ms : 1;
}

/* The processors that this program may use. */
static int processors(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

    return count < THREADS_MAX ? count : THREADS_MAX;
}

static int review_text(const struct buffer *text, const struct review_options *options)
{
    int threads = options->threads > 0 ? (int)options->threads : processors();
    struct pgn_file file;
    struct cause cause;
    int status = 1;

    if (!pgn_read(&file, text->bytes, text->length, &cause)) {
        bot_error("review", "%s", cause.text);
        return 1;
    }
    if (pgn_check(&file.matches[0], &cause)) {
        int64_t each_ms = first_ms(file.matches[0].plies + 1, threads);
        struct work work = {
            .first = {.time_ms = each_ms, .nodes = UINT64_MAX},
            .deep = {.time_ms = options->movetime_ms, .nodes = UINT64_MAX, .deep = true}};
        analysis_open(&work.analysis, &file.matches[0]);
        status = review(&work, threads);
        analysis_close(&work.analysis);
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
    int status = usage_read("ludus-bot", review_rows, ":", argc, argv, NULL, &options);

    if (status == USAGE_HELP) {
        usage_print_command("ludus-bot", command, help);
        return 0;
    }
    if (status != USAGE_READ)
        return status;
    if (optind < argc) {
        bot_error(argv[optind], "review takes no arguments");
        return EXIT_USAGE;
    }
    read_input(&text);
    status = review_text(&text, &options);
    buffer_release(&text);
    return status;
}
