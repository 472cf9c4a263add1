/*
 * `ludus-bot ugi`: an engine on standard input and output. It speaks the Universal Game Interface
 * as cutegames defines it (github.com/kz04px/cutegames, ugi.md), and adds options, `go perft` and
 * `d`. Player 1 is white. To programs for chess it speaks UCI, which has other words for some of
 * this, the option UCI_Variant, and more fields behind a position.
 *
 * The main thread reads and obeys commands. The engine thinks, and perft counts, in a thread of its
 * own, which prints `info` lines and `bestmove`. Commands that need it idle wait in a queue;
 * `isready`, `stop`, `quit` and the end of input do not. Only `go infinite` keeps its answer until
 * `stop`. At the end of input, and at a `quit` right behind it, what has limits is finished.
 */
#include "ugi.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/queue.h>

#include "bot.h"
#include "client/bot/search/engine.h"
#include "client/bot/search/tree.h"
#include "client/games/guide.h"
#include "common/move.h"
#include "common/position_text.h"
#include "common/text.h"
#include "common/xmalloc.h"
#include "ugi_stream.h"

/* ---- The words of `go` ---- */

/* The words that take a number. Those about clocks come in pairs, by colour. */
enum { TIME, INCREMENT = 2, MOVES_TO_GO = 4, MOVETIME, DEPTH, NODES, PERFT, NUMBERS };

static const struct {
    const char *word;
    const char *in_uci; /* NULL: the same */
    long min, max;
} numbers[NUMBERS] = {
    [TIME + WHITE] = {.word = "p1time", .in_uci = "wtime", .max = INT_MAX},
    [TIME + BLACK] = {.word = "p2time", .in_uci = "btime", .max = INT_MAX},
    [INCREMENT + WHITE] = {.word = "p1inc", .in_uci = "winc", .max = INT_MAX},
    [INCREMENT + BLACK] = {.word = "p2inc", .in_uci = "binc", .max = INT_MAX},
    [MOVES_TO_GO] = {.word = "movestogo", .min = 1, .max = INT_MAX},
    [MOVETIME] = {.word = "movetime", .max = INT_MAX},
    [DEPTH] = {.word = "depth", .min = 1, .max = INT_MAX},
    [NODES] = {.word = "nodes", .min = 1, .max = LONG_MAX},
    [PERFT] = {.word = "perft", .max = 1000},
};

struct go_reader {
    long values[NUMBERS]; /* -1: not given */
    go_remark *remark;
    void *context;
};

static int find_go_number(const char *word)
{
    int i = 0;

    while (i < NUMBERS && strcmp(word, numbers[i].word) != 0 &&
           (numbers[i].in_uci == NULL || strcmp(word, numbers[i].in_uci) != 0))
        i++;
    return i;
}

static void read_go_number(struct go_reader *reader, int i, const char *word, const char *text)
{
    struct cause cause;
    char *end;

    errno = 0;
    long value = strtol(text, &end, 10); /* the nearest long, if it is none */
    long nearest = value < numbers[i].min ? numbers[i].min : value;

    if (nearest > numbers[i].max)
        nearest = numbers[i].max;
    if (end == text || *end != '\0')
        nearest = numbers[i].min;
    reader->values[i] = nearest;
    bool is_exact = nearest == value && errno == 0 && end != text && *end == '\0';
    if (is_exact || (i < MOVES_TO_GO && *text == '-'))
        return;
    cause_set(&cause, "go: %s: '%.24s' is not a number from %ld to %ld: using %ld", word, text,
              numbers[i].min, numbers[i].max, nearest);
    reader->remark(reader->context, cause.text);
}

static void set_go_clock(struct search_limits *limits, const long values[NUMBERS],
                         const struct game *game, const struct position *position,
                         int64_t overhead_ms)
{
    long left_ms = values[TIME + position->side], increment_ms = values[INCREMENT + position->side];
    long to_go = values[MOVES_TO_GO];
    int moves = guide_moves(game, position);
    int64_t now_ms = clock_ms();

    struct clock_share share =
        clock_share(left_ms > 0 ? left_ms : 0, increment_ms > 0 ? increment_ms : 0,
                    to_go > 0 && to_go < moves ? (int)to_go : moves, overhead_ms);
    limits->target_ms = now_ms + share.target_ms;
    limits->deadline_ms = now_ms + share.most_ms;
}

static void set_go_limits(struct go *go, const long values[NUMBERS], const struct game *game,
                          const struct position *position, int64_t overhead_ms)
{
    bool clock = false;

    for (int i = TIME; i < MOVES_TO_GO; i++)
        clock = clock || values[i] >= 0;
    go->limits = NO_LIMITS;
    if (clock)
        set_go_clock(&go->limits, values, game, position, overhead_ms);
    if (values[MOVETIME] >= 0 && clock_ms() + values[MOVETIME] < go->limits.deadline_ms)
        go->limits.deadline_ms = clock_ms() + values[MOVETIME];
    if (values[DEPTH] > 0)
        go->limits.depth_plies = (int)values[DEPTH];
    if (values[NODES] > 0)
        go->limits.nodes = (uint64_t)values[NODES];
    go->perft_plies = (int)values[PERFT];
    if (!clock && values[MOVETIME] < 0 && values[DEPTH] < 0 && values[NODES] < 0)
        go->infinite = true;
}

void go_read(struct go *go, char *text, const struct game *game, const struct position *position,
             int64_t overhead_ms, go_remark *remark, void *context)
{
    struct go_reader reader = {.remark = remark, .context = context};

    memset(reader.values, -1, sizeof reader.values);
    *go = (struct go){.infinite = false};
    while (*text != '\0') {
        const char *word = text_line_word(&text);
        int i = find_go_number(word);
        if (i < NUMBERS) {
            read_go_number(&reader, i, word, text_line_word(&text));
        } else if (strcmp(word, "infinite") == 0) {
            go->infinite = true;
        } else {
            struct cause cause;
            cause_set(&cause, "go: unknown word '%.24s'", word);
            remark(context, cause.text);
        }
    }
    set_go_limits(go, reader.values, game, position, overhead_ms);
}

/* ---- The commands ---- */

#define UGI_DEFAULT_LEVEL "max"

/* Of the option Seed; SEED_BY_CHANCE: another seed for each game. */
enum { SEED_BY_CHANCE = -1, SEED_MAX = INT_MAX };

/* A match runner is near. */
enum { OVERHEAD_MS = 30, OVERHEAD_MS_MAX = 60000 };

struct waiting_line {
    char *line; /* owned */
    STAILQ_ENTRY(waiting_line) link;
};

struct ugi {
    const struct game *game;
    char variant[VARIANT_NAME_MAX]; /* "" when none was named */
    bool in_uci;                    /* it was greeted by `uci` */
    bool placed;                    /* there is a position: the last one was not refused */
    struct position position;
    struct history history;
    const struct engine *engine;
    long seed; /* where rng begins with each game, or SEED_BY_CHANCE */
    uint64_t rng;
    long overhead_ms, lines, threads; /* the options Move Overhead, MultiPV and Threads */
    struct thinker thinker;
    struct tt tt;                        /* of the thinker; its size is the option Hash */
    int64_t heard_go_ms;                 /* when the last `go` came, by clock_ms() */
    int64_t started_ms;                  /* when the search began */
    bool counts;                         /* the thinker counts for perft */
    bool infinite;                       /* it searches until `stop` */
    struct move kept;                    /* its answer, while infinite */
    atomic_bool answered;                /* the thinker is about to end: waiting for it is short */
    STAILQ_HEAD(, waiting_line) waiting; /* lines, until the thinker is idle */
    struct ugi_stream stream;
};

struct ugi_command {
    const char *verb;
    void (*run)(struct ugi *ugi, char *rest);
    bool idle;   /* waits until the thinker is idle */
    bool urgent; /* goes ahead of lines that wait */
};

static const char default_game[] = "clobber:5x6";

/* How long `isready` waits for a count that may be about to end, so that a short one comes first.
 */
enum { COUNT_PATIENCE_MS = 40 };

/* Perft up to this depth is a matter of moments, and counted before the next command is read. */
enum { PERFT_AT_ONCE_PLIES = 2 };

static void print_error(struct ugi *ugi, const char *text)
{
    ugi_stream_say(&ugi->stream, "info string error: %s", text);
}

static struct outcome outcome_of(const struct ugi *ugi)
{
    if (!ugi->placed)
        return (struct outcome){.result = RESULT_NONE};
    return history_outcome(&ugi->history, ugi->game, &ugi->position);
}

/* A position that was refused counts as the end of the game, so that nobody plays on from another
 * one. */
static bool is_over(const struct ugi *ugi)
{
    return !ugi->placed || outcome_of(ugi).result != RESULT_NONE;
}

static void print_best(struct ugi *ugi, struct move move)
{
    char text[MOVE_TEXT_MAX];

    move_format(&ugi->thinker.question.position, move, text);
    ugi_stream_say(&ugi->stream, "bestmove %s", text);
}

/* In the thinker's thread. */
static void answer_command(void *context, struct move move)
{
    struct ugi *ugi = context;

    if (ugi->infinite)
        ugi->kept = move;
    atomic_store(&ugi->answered, true); /* before anybody can react to the answer */
    if (!ugi->infinite && !ugi->counts)
        print_best(ugi, move);
    ugi_stream_wake(&ugi->stream);
}

/* The moves of its own that a side needs at most to win, or, negative, has before it has lost. */
static int mate_moves(int score)
{
    int moves = (SCORE_WIN - abs(score) + (score > 0)) / 2;

    moves = moves > 0 ? moves : 1;
    return score > 0 ? moves : -moves;
}

/* In the thinker's thread. */
static void print_info(void *context, const struct info *info)
{
    struct ugi *ugi = context;
    uint64_t ms = (uint64_t)(clock_ms() - ugi->started_ms);
    int deepest = info->deepest_plies > info->depth_plies ? info->deepest_plies : info->depth_plies;
    struct buffer pv = {.length = 0};
    char line[24] = "", score[24];

    snprintf(score, sizeof score, "cp %d", info->score);

    for (int i = 0; i < info->pv_plies; i++) {
        char text[MOVE_TEXT_MAX];
        move_format(&ugi->thinker.question.position, info->pv[i], text);
        buffer_printf(&pv, " %s", text);
    }
    if (info->line > 0)
        snprintf(line, sizeof line, " multipv %d", info->line);
    if (abs(info->score) >= WON)
        snprintf(score, sizeof score, "mate %d", mate_moves(info->score));
    ugi_stream_say(&ugi->stream,
                   "info depth %d%s score %s time %llu nodes %llu nps %llu seldepth %d hashfull %d"
                   " pv%.*s",
                   info->depth_plies, line, score, (unsigned long long)ms,
                   (unsigned long long)info->nodes,
                   (unsigned long long)(info->nodes * 1000 / (ms > 0 ? ms : 1)), deepest,
                   tt_filled(&ugi->tt), (int)pv.length, pv.bytes);
    buffer_release(&pv);
}

/* Brings the answer of an infinite search; `rest` may be NULL. */
static void run_stop(struct ugi *ugi, char *rest)
{
    (void)rest;
    thinker_stop(&ugi->thinker);
    if (!ugi->thinker.busy || !ugi->infinite)
        return;
    thinker_wait(&ugi->thinker);
    ugi->infinite = false;
    print_best(ugi, ugi->kept);
}

/* Variants that chess programs know by names of their own; the others are called as the games. */
static const struct uci_variant {
    const char *name, *game;
} uci_variants[] = {{"clobber", "clobber:5x6"}, {"clobber10", "clobber:10x10"}};

enum { UCI_VARIANTS = sizeof uci_variants / sizeof uci_variants[0] };

/* Introduces the engine in UGI, or in UCI with the option by which its programs choose a game. */
static void introduce_engine(struct ugi *ugi, bool in_uci)
{
    struct buffer levels = {.length = 0}, variants = {.length = 0};

    for (const struct engine *const *engine = engines; *engine != NULL; engine++)
        buffer_printf(&levels, " var %s", (*engine)->name);
    if (in_uci)
        buffer_puts(&variants, "option name UCI_Variant type combo default clobber");
    for (size_t i = 0; i < UCI_VARIANTS && in_uci; i++)
        buffer_printf(&variants, " var %s", uci_variants[i].name);
    for (size_t i = 0; games[i] != NULL && in_uci; i++)
        if (games[i] != &clobber)
            buffer_printf(&variants, " var %s", games[i]->name);
    buffer_puts(&variants, in_uci ? "\nuciok" : "ugiok");
    ugi_stream_say(&ugi->stream,
                   "id name Ludus " LUDUS_VERSION "\nid author the Ludus authors\n"
                   "option name Game type string default %s\n"
                   "option name Level type combo default %s%.*s\n"
                   "option name Hash type spin default %d min 0 max %d\n"
                   "option name Threads type spin default 1 min 1 max %d\n"
                   "option name MultiPV type spin default 1 min 1 max %d\n"
                   "option name Move Overhead type spin default %d min 0 max %d\n"
                   "option name Seed type spin default %d min %d max %d\n%.*s",
                   default_game, UGI_DEFAULT_LEVEL, (int)levels.length, levels.bytes, TT_MB,
                   TT_MB_MAX, THREADS_MAX, LINES_MAX, OVERHEAD_MS, OVERHEAD_MS_MAX, SEED_BY_CHANCE,
                   SEED_BY_CHANCE, SEED_MAX, (int)variants.length, variants.bytes);
    buffer_release(&levels);
    buffer_release(&variants);
    ugi->in_uci = in_uci;
}

static void run_ugi(struct ugi *ugi, char *rest)
{
    (void)rest;
    introduce_engine(ugi, false);
}

static void run_uci(struct ugi *ugi, char *rest)
{
    (void)rest;
    introduce_engine(ugi, true);
}

/* Waits for the thinker until until_ms, by clock_ms(). Returns whether it is idle. */
static bool await_thinker(struct ugi *ugi, int64_t until_ms)
{
    while (ugi->thinker.busy && !atomic_load(&ugi->answered)) {
        int64_t left_ms = until_ms - clock_ms();
        if (left_ms <= 0 || !ugi_stream_wait_wake(&ugi->stream, (int)left_ms))
            return false;
    }
    thinker_wait(&ugi->thinker);
    return true;
}

static void run_isready(struct ugi *ugi, char *rest)
{
    (void)rest;
    if (ugi->counts)
        await_thinker(ugi, clock_ms() + COUNT_PATIENCE_MS);
    ugi_stream_say(&ugi->stream, "readyok");
}

static void set_position(struct ugi *ugi, const struct position *position)
{
    ugi->placed = true;
    ugi->position = *position;
    ugi->history.count = 0;
    history_add(&ugi->history, ugi->game->key(position));
}

static bool set_game(struct ugi *ugi, const char *value, struct cause *cause)
{
    struct position start;
    const struct game *game = game_open(value, &start, NULL, cause);

    if (game == NULL)
        return false;
    ugi->game = game;
    ugi->variant[0] = '\0';
    if (strchr(value, ':') != NULL)
        game->variant_name(&start, ugi->variant);
    set_position(ugi, &start);
    return true;
}

static bool set_variant(struct ugi *ugi, const char *value, struct cause *cause)
{
    for (size_t i = 0; i < UCI_VARIANTS; i++)
        if (strcasecmp(uci_variants[i].name, value) == 0)
            return set_game(ugi, uci_variants[i].game, cause);
    return set_game(ugi, value, cause);
}

static bool set_level(struct ugi *ugi, const char *value, struct cause *cause)
{
    const struct engine *engine = engine_find(value);

    if (engine == NULL)
        return cause_set(cause, "unknown level '%.24s'", value);
    ugi->engine = engine;
    tt_clear(&ugi->tt);
    return true;
}

static bool set_number(const char *option, const char *value, long min, long max, long *number,
                       struct cause *cause)
{
    char *end;

    errno = 0;
    long read = strtol(value, &end, 10);
    if (errno != 0 || end == value || *end != '\0' || read < min || read > max)
        return cause_set(cause, "%s: '%.24s' is not a number from %ld to %ld", option, value, min,
                         max);
    *number = read;
    return true;
}

static bool set_hash(struct ugi *ugi, const char *value, struct cause *cause)
{
    long megabytes = 0;

    if (!set_number("Hash", value, 0, TT_MB_MAX, &megabytes, cause))
        return false;
    tt_resize(&ugi->tt, (int)megabytes);
    return true;
}

/* Begins the chances of a game. */
static void seed_game(struct ugi *ugi)
{
    ugi->rng = (uint64_t)(ugi->seed == SEED_BY_CHANCE ? bot_seed() : ugi->seed);
}

static bool set_seed(struct ugi *ugi, const char *value, struct cause *cause)
{
    if (!set_number("Seed", value, SEED_BY_CHANCE, SEED_MAX, &ugi->seed, cause))
        return false;
    seed_game(ugi);
    return true;
}

static void run_setoption(struct ugi *ugi, char *rest)
{
    struct cause cause;
    bool done;

    char *name = text_line_cut_at(rest, "name");
    char *value = name != NULL ? text_line_cut_at(name, "value") : NULL;
    if (value == NULL)
        done = cause_set(&cause, "usage: setoption name NAME value VALUE");
    else if (strcasecmp(name, "Game") == 0)
        done = set_game(ugi, value, &cause);
    else if (strcasecmp(name, "UCI_Variant") == 0)
        done = set_variant(ugi, value, &cause);
    else if (strcasecmp(name, "Level") == 0)
        done = set_level(ugi, value, &cause);
    else if (strcasecmp(name, "Hash") == 0)
        done = set_hash(ugi, value, &cause);
    else if (strcasecmp(name, "Threads") == 0)
        done = set_number("Threads", value, 1, THREADS_MAX, &ugi->threads, &cause);
    else if (strcasecmp(name, "MultiPV") == 0)
        done = set_number("MultiPV", value, 1, LINES_MAX, &ugi->lines, &cause);
    else if (strcasecmp(name, "Move Overhead") == 0)
        done = set_number("Move Overhead", value, 0, OVERHEAD_MS_MAX, &ugi->overhead_ms, &cause);
    else if (strcasecmp(name, "Seed") == 0)
        done = set_seed(ugi, value, &cause);
    else
        done = cause_set(&cause, "unknown option '%.24s'", name);
    if (!done)
        print_error(ugi, cause.text);
}

/* The start position of the option Game. */
static bool open_start(const struct ugi *ugi, struct position *position, struct cause *cause)
{
    return ugi->game->start(ugi->variant[0] != '\0' ? ugi->variant : NULL, position, cause);
}

static void run_uginewgame(struct ugi *ugi, char *rest)
{
    struct position start;
    struct cause cause;

    (void)rest;
    tt_clear(&ugi->tt);
    seed_game(ugi);
    if (open_start(ugi, &start, &cause))
        set_position(ugi, &start);
}

/* Programs for chess end positions with castling rights, en passant, and two counters. */
enum { CHESS_FIELDS = 4 };

/* Reads a position. In UCI, fields of chess may follow it. */
static bool read_fen(const struct ugi *ugi, char *text, struct position *position,
                     struct cause *cause)
{
    const char *variant = ugi->variant[0] != '\0' ? ugi->variant : NULL;
    bool good = ugi->game->parse(variant, text, position, cause);
    struct cause other;

    for (int i = 0; i < CHESS_FIELDS && !good && ugi->in_uci; i++) {
        char *end = strrchr(text, ' ');
        if (end == NULL)
            break;
        *end = '\0';
        good = ugi->game->parse(variant, text, position, &other);
    }
    return good;
}

static bool read_position(const struct ugi *ugi, char *text, struct position *position,
                          struct cause *cause)
{
    const char *kind = text_line_word(&text);

    if (strcmp(kind, "startpos") == 0 && *text == '\0')
        return open_start(ugi, position, cause);
    if (strcmp(kind, "fen") == 0)
        return read_fen(ugi, text, position, cause);
    return cause_set(cause, "usage: position startpos|fen POSITION [moves MOVE...]");
}

/* Plays the moves on `next`, which has a history of its own. */
static bool play_moves(struct ugi *next, char *moves, struct cause *cause)
{
    while (*moves != '\0') {
        const char *text = text_line_word(&moves);
        struct cause refusal;
        struct move move;
        if (is_over(next))
            return cause_set(cause, "%.20s: the game is over", text);
        if (!move_parse(next->game, &next->position, text, &move, &refusal))
            return cause_set(cause, "%.20s: %.170s", text, refusal.text);
        next->game->apply(&next->position, move);
        history_add(&next->history, next->game->key(&next->position));
    }
    return true;
}

/* Leaves no position unless this one and all moves are valid. */
static void run_position(struct ugi *ugi, char *rest)
{
    struct ugi next = {.game = ugi->game};
    struct position position;
    struct cause cause;
    char none[] = "", *moves = text_line_cut_at(rest, "moves");

    ugi->placed = read_position(ugi, rest, &position, &cause);
    if (ugi->placed) {
        set_position(&next, &position);
        ugi->placed = play_moves(&next, moves != NULL ? moves : none, &cause);
        ugi->position = next.position;
        history_copy(&ugi->history, &next.history);
        history_release(&next.history);
    }
    if (!ugi->placed)
        print_error(ugi, cause.text);
}

static void print_count(void *context, const char *move, uint64_t count)
{
    struct ugi *ugi = context;

    ugi_stream_say(&ugi->stream, "%s: %llu", move, (unsigned long long)count);
}

/* Prints the count of each move, and the total only if it is the whole one. */
static struct move count_moves(const struct search_question *question)
{
    struct ugi *ugi = question->context;
    uint64_t total;

    if (perft_each_move(question->game, &question->position, question->limits.depth_plies,
                        question->stop, print_count, ugi, &total))
        ugi_stream_say(&ugi->stream, "nodes: %llu", (unsigned long long)total);
    else
        ugi_stream_say(&ugi->stream, "info string error: perft was stopped after %llu nodes",
                       (unsigned long long)total);
    return (struct move){.from = 0};
}

static void start_perft(struct ugi *ugi, int depth)
{
    static const struct engine counter = {.name = "perft", .think = count_moves};
    static const atomic_bool never;
    struct search_question question = {.game = ugi->game,
                                       .position = ugi->position,
                                       .history = ugi->history,
                                       .limits = {.depth_plies = depth},
                                       .stop = &never,
                                       .context = ugi};

    ugi->counts = true;
    ugi->infinite = false;
    atomic_store(&ugi->answered, false);
    if (depth <= PERFT_AT_ONCE_PLIES)
        count_moves(&question);
    else
        thinker_start(&ugi->thinker, &counter, &question);
}

static void start_thinking(struct ugi *ugi, const struct go *go)
{
    ugi->started_ms = clock_ms();
    ugi->counts = false;
    ugi->infinite = go->infinite;
    atomic_store(&ugi->answered, false);
    thinker_start(&ugi->thinker, ugi->engine,
                  &(struct search_question){.game = ugi->game,
                                            .position = ugi->position,
                                            .history = ugi->history,
                                            .limits = go->limits,
                                            .tt = &ugi->tt,
                                            .threads = (int)ugi->threads,
                                            .lines = (int)ugi->lines,
                                            .rng = &ugi->rng,
                                            .report = print_info,
                                            .context = ugi});
}

static void remark_on_go(void *context, const char *text)
{
    print_error(context, text);
}

static void run_go(struct ugi *ugi, char *rest)
{
    struct go go;

    go_read(&go, rest, ugi->game, &ugi->position, ugi->overhead_ms, remark_on_go, ugi);
    if (ugi->placed && go.perft_plies >= 0) {
        start_perft(ugi, go.perft_plies);
    } else if (is_over(ugi)) {
        print_error(ugi, ugi->placed ? "the game is over" : "no position: it was refused");
        /* UCI's null move: otherwise the asker would wait for ever. */
        ugi_stream_say(&ugi->stream, go.perft_plies >= 0 ? "nodes: 0" : "bestmove 0000");
    } else {
        start_thinking(ugi, &go);
    }
}

static void run_query(struct ugi *ugi, char *rest)
{
    static const char *const results[] = {"none", "p1win", "p2win", "draw"};
    const char *what = text_line_word(&rest), *response = NULL;

    if (strcmp(what, "gameover") == 0)
        response = is_over(ugi) ? "true" : "false";
    else if (strcmp(what, "p1turn") == 0)
        response = ugi->placed && ugi->position.side == WHITE ? "true" : "false";
    else if (strcmp(what, "result") == 0)
        response = results[outcome_of(ugi).result];
    if (response == NULL) {
        print_error(ugi, "query takes gameover, p1turn or result");
        response = "none"; /* otherwise the asker would wait for ever */
    }
    ugi_stream_say(&ugi->stream, "response %s", response);
}

static void run_d(struct ugi *ugi, char *rest)
{
    char drawing[BOARD_TEXT_MAX], text[POSITION_TEXT_MAX];
    struct outcome outcome = outcome_of(ugi);
    const char *reason = reason_text(outcome.reason);
    struct board board;

    (void)rest;
    if (!ugi->placed) {
        print_error(ugi, "no position: it was refused");
        ugi_stream_say(&ugi->stream, "position: none\nresult: none");
        return;
    }
    ugi->game->board(&ugi->position, &board);
    board_text(&board, false, drawing);
    ugi->game->format(&ugi->position, text);
    ugi_stream_say(&ugi->stream, "%sposition: %s\nresult: %s%s%s", drawing, text,
                   result_text(outcome.result), reason != NULL ? " " : "",
                   reason != NULL ? reason : "");
}

static const struct ugi_command commands[] = {
    {.verb = "ugi", .run = run_ugi},
    {.verb = "isready", .run = run_isready, .urgent = true},
    {.verb = "uginewgame", .run = run_uginewgame, .idle = true},
    {.verb = "uci", .run = run_uci},
    {.verb = "ucinewgame", .run = run_uginewgame, .idle = true},
    {.verb = "setoption", .run = run_setoption, .idle = true},
    {.verb = "position", .run = run_position, .idle = true},
    {.verb = "go", .run = run_go, .idle = true},
    {.verb = "stop", .run = run_stop},
    {.verb = "query", .run = run_query},
    {.verb = "d", .run = run_d},
};

/* Finds the command that a line begins with; NULL if there is none. */
static const struct ugi_command *find_command(const char *line)
{
    size_t length = strcspn(line, " \t");

    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strlen(commands[i].verb) == length && strncmp(commands[i].verb, line, length) == 0)
            return &commands[i];
    return NULL;
}

/* ---- The conversation ---- */

/* How long after a `go` a `quit` counts as right behind it, and how long the end of the input may
 * take to come behind a `quit`. */
enum { BEHIND_MS = 40 };

/* Obeys a line. Returns false, having done nothing, if it has to wait for the thinker. */
static bool obey_line(struct ugi *ugi, char *line)
{
    const struct ugi_command *command = find_command(line);

    if (command == NULL) {
        struct cause cause;
        cause_set(&cause, "unknown command '%.40s'", text_line_word(&line));
        print_error(ugi, cause.text);
        return true;
    }
    if (command->idle && ugi->infinite)
        run_stop(ugi, NULL); /* nobody else would stop it in time */
    if (command->idle && !await_thinker(ugi, 0))
        return false;
    text_line_word(&line);
    command->run(ugi, line);
    return true;
}

/* Obeys the waiting lines up to the first that has to wait longer. */
static void obey_waiting_lines(struct ugi *ugi)
{
    struct waiting_line *first;

    while ((first = STAILQ_FIRST(&ugi->waiting)) != NULL && obey_line(ugi, first->line)) {
        STAILQ_REMOVE_HEAD(&ugi->waiting, link);
        free(first->line);
        free(first);
    }
}

/* Obeys a line, or lets it wait. A stop is heard at once, and by a search that is waiting. Returns
 * false for `quit`. */
static bool hear_line(struct ugi *ugi, char *line)
{
    const struct ugi_command *command = find_command(line);
    if (strncmp(line, "quit", 4) == 0 && strcspn(line, " ") == 4)
        return false;
    if (*line == '\0')
        return true;
    if (command != NULL && command->run == run_stop)
        thinker_stop(&ugi->thinker);
    if (command != NULL && command->run == run_go)
        ugi->heard_go_ms = clock_ms();
    bool goes_ahead = STAILQ_EMPTY(&ugi->waiting) || (command != NULL && command->urgent);
    if (goes_ahead && obey_line(ugi, line))
        return true;
    struct waiting_line *waiting = xcalloc(1, sizeof *waiting);
    waiting->line = xstrdup(line);
    STAILQ_INSERT_TAIL(&ugi->waiting, waiting, link);
    return true;
}

/* Whether a `quit` stands behind work in a script, which wants its results: right behind the `go`,
 * or right before the end of the input. Elsewhere somebody wants the engine to end. */
static bool quit_waits(struct ugi *ugi)
{
    int64_t heard_ms = clock_ms();
    char *line;

    if (heard_ms - ugi->heard_go_ms <= BEHIND_MS)
        return true;
    while (ugi->thinker.busy && !ugi->infinite) {
        int64_t left_ms = heard_ms + BEHIND_MS - clock_ms();
        enum heard heard = ugi_stream_wait(&ugi->stream, left_ms > 0 ? (int)left_ms : 0, &line);
        if (heard == HEARD_END || heard == HEARD_NOTHING)
            return heard == HEARD_END;
        if (heard == HEARD_WAKE && await_thinker(ugi, 0))
            obey_waiting_lines(ugi);
    }
    return false;
}

/* Obeys what was asked before the end. Work with limits is finished if somebody wants it and reads
 * what comes; all other is stopped. */
static void finish_work(struct ugi *ugi, bool wanted)
{
    for (obey_waiting_lines(ugi); ugi->thinker.busy; obey_waiting_lines(ugi)) {
        bool goes_on = wanted && !ugi->infinite;
        while (goes_on && !atomic_load(&ugi->answered))
            goes_on = ugi_stream_wait_wake(&ugi->stream, -1);
        if (!goes_on)
            run_stop(ugi, NULL);
        thinker_wait(&ugi->thinker);
    }
}

/* Obeys commands until `quit` or the end of the input. */
static void converse(struct ugi *ugi)
{
    for (;;) {
        char *line;
        switch (ugi_stream_wait(&ugi->stream, -1, &line)) {
        case HEARD_LINE:
            if (!hear_line(ugi, line)) {
                finish_work(ugi, quit_waits(ugi));
                return;
            }
            break;
        case HEARD_END:
            finish_work(ugi, true);
            return;
        default:
            break; /* a wake */
        }
        /* Whoever waited for the thinker may have taken its wake, so each line looks, too. */
        if (!ugi->infinite && await_thinker(ugi, 0))
            obey_waiting_lines(ugi);
    }
}

static bool read_level(void *context, const struct option_input *input, struct cause *cause)
{
    struct ugi *ugi = context;

    return bot_find_level(&ugi->engine, input->value, cause);
}

const struct option_row ugi_rows[] = {
    {OPTION("level", "LEVEL", "how to play; also setoption name Level"), .read = read_level,
     .standard = UGI_DEFAULT_LEVEL},
    {OPTION("seed", "N", "repeat the same random choices in every game;\nalso setoption name Seed"),
     TO_NUMBER(ugi, seed, 0, LONG_MAX)},
    OPTIONS_LAST_ROWS,
};

int ugi_main(const struct usage_command *command, int argc, char **argv)
{
    struct ugi ugi = {.seed = SEED_BY_CHANCE,
                      .tt = {.megabytes = TT_MB},
                      .threads = 1,
                      .lines = 1,
                      .overhead_ms = OVERHEAD_MS};
    struct cause cause;
    int status = options_read("ludus-bot", ugi_rows, OPTIONS_ANYWHERE, argc, argv, &ugi);

    if (status == OPTIONS_HELP) {
        usage_print_command("ludus-bot", command,
                            "Speaks the Universal Game Interface on standard input and output.");
        return bot_print_levels();
    }
    if (status != OPTIONS_RUN)
        return status;
    if (optind < argc) {
        bot_error(argv[optind], "ugi takes no arguments");
        return EXIT_USAGE;
    }
    if (!ugi_stream_open(&ugi.stream))
        return EXIT_FAILURE;
    seed_game(&ugi);
    STAILQ_INIT(&ugi.waiting);
    ugi.thinker.done = answer_command;
    ugi.thinker.context = &ugi;
    set_game(&ugi, default_game, &cause);
    converse(&ugi);
    ugi_stream_close(&ugi.stream);
    thinker_release(&ugi.thinker);
    tt_clear(&ugi.tt);
    history_release(&ugi.history);
    return 0;
}
