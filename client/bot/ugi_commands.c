#include "ugi_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bot.h"
#include "client/bot/base/words.h"
#include "common/move.h"
#include "common/number.h"
#include "common/position_text.h"
#include "go.h"

static const char default_game[] = "clobber:5x6";

/* How long `isready` waits for a count that may be about to end, so that a short one comes first.
 */
enum { PATIENCE_MS = 40 };

/* Perft up to this depth is a matter of moments, and counted before the next command is read. */
enum { PERFT_AT_ONCE_PLIES = 2 };

void ugi_print_error(struct ugi *ugi, const char *text)
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
static void take_answer(void *context, struct move move)
{
    struct ugi *ugi = context;

    if (ugi->infinite)
        ugi->kept = move;
    atomic_store(&ugi->answered, true); /* before anybody can react to the answer */
    if (!ugi->infinite && !ugi->counts)
        print_best(ugi, move);
    ugi_stream_wake(&ugi->stream);
}

/* In the thinker's thread. */
static void print_info(void *context, const struct info *info)
{
    struct ugi *ugi = context;
    uint64_t ms = (uint64_t)(clock_ms() - ugi->started_ms);
    struct buffer pv = {.length = 0};

    for (int i = 0; i < info->pv_plies; i++) {
        char text[MOVE_TEXT_MAX];
        move_format(&ugi->thinker.question.position, info->pv[i], text);
        buffer_printf(&pv, " %s", text);
    }
    ugi_stream_say(
        &ugi->stream, "info depth %d score cp %d time %llu nodes %llu nps %llu pv%.*s",
        info->depth_plies, info->score, (unsigned long long)ms, (unsigned long long)info->nodes,
        (unsigned long long)(info->nodes * 1000 / (ms > 0 ? ms : 1)), (int)pv.length, pv.bytes);
    buffer_release(&pv);
}

void ugi_stop(struct ugi *ugi, char *rest)
{
    (void)rest;
    thinker_stop(&ugi->thinker);
    if (!ugi->thinker.busy || !ugi->infinite)
        return;
    thinker_wait(&ugi->thinker);
    ugi->infinite = false;
    print_best(ugi, ugi->kept);
}

static void run_ugi(struct ugi *ugi, char *rest)
{
    struct buffer levels = {.length = 0};

    (void)rest;
    for (const struct engine *const *engine = engines; *engine != NULL; engine++)
        buffer_printf(&levels, " var %s", (*engine)->name);
    ugi_stream_say(&ugi->stream,
                   "id name Ludus " LUDUS_VERSION "\nid author the Ludus authors\n"
                   "option name Game type string default %s\n"
                   "option name Level type combo default %s%.*s\n"
                   "option name Hash type spin default %d min 0 max %d\n"
                   "option name Threads type spin default 1 min 1 max %d\nugiok",
                   default_game, UGI_DEFAULT_LEVEL, (int)levels.length, levels.bytes, TT_MB,
                   TT_MB_MAX, THREADS_MAX);
    buffer_release(&levels);
}

bool ugi_await(struct ugi *ugi, int64_t until_ms)
{
    while (ugi->thinker.busy && !atomic_load(&ugi->answered)) {
        int64_t left_ms = until_ms - clock_ms();
        if (left_ms <= 0)
            return false;
        ugi_stream_wait_wake(&ugi->stream, (int)left_ms);
    }
    thinker_wait(&ugi->thinker);
    return true;
}

static void run_isready(struct ugi *ugi, char *rest)
{
    (void)rest;
    if (ugi->counts)
        ugi_await(ugi, clock_ms() + PATIENCE_MS);
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

static bool set_level(struct ugi *ugi, const char *value, struct cause *cause)
{
    const struct engine *engine = engine_find(value);

    if (engine == NULL)
        return cause_set(cause, "unknown level '%.24s'", value);
    ugi->engine = engine;
    tt_clear(&ugi->tt);
    return true;
}

static bool set_hash(struct ugi *ugi, const char *value, struct cause *cause)
{
    long megabytes;

    if (!number_parse(value, strlen(value), 0, TT_MB_MAX, &megabytes))
        return cause_set(cause, "Hash: '%.24s' is not a number from 0 to %d", value, TT_MB_MAX);
    tt_resize(&ugi->tt, (int)megabytes);
    return true;
}

static bool set_threads(struct ugi *ugi, const char *value, struct cause *cause)
{
    long threads;

    if (!number_parse(value, strlen(value), 1, THREADS_MAX, &threads))
        return cause_set(cause, "Threads: '%.24s' is not a number from 1 to %d", value,
                         THREADS_MAX);
    ugi->threads = (int)threads;
    return true;
}

static void run_setoption(struct ugi *ugi, char *rest)
{
    struct cause cause;
    bool done;

    char *name = cut_at_word(rest, "name");
    char *value = name != NULL ? cut_at_word(name, "value") : NULL;
    if (value == NULL)
        done = cause_set(&cause, "usage: setoption name NAME value VALUE");
    else if (strcasecmp(name, "Game") == 0)
        done = set_game(ugi, value, &cause);
    else if (strcasecmp(name, "Level") == 0)
        done = set_level(ugi, value, &cause);
    else if (strcasecmp(name, "Hash") == 0)
        done = set_hash(ugi, value, &cause);
    else if (strcasecmp(name, "Threads") == 0)
        done = set_threads(ugi, value, &cause);
    else
        done = cause_set(&cause, "unknown option '%.24s'", name);
    if (!done)
        ugi_print_error(ugi, cause.text);
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
    if (open_start(ugi, &start, &cause))
        set_position(ugi, &start);
}

static bool read_position(const struct ugi *ugi, char *text, struct position *position,
                          struct cause *cause)
{
    const char *kind = next_word(&text);

    if (strcmp(kind, "startpos") == 0 && *text == '\0')
        return open_start(ugi, position, cause);
    if (strcmp(kind, "fen") == 0)
        return ugi->game->parse(ugi->variant[0] != '\0' ? ugi->variant : NULL, text, position,
                                cause);
    return cause_set(cause, "usage: position startpos|fen POSITION [moves MOVE...]");
}

/* Plays the moves on `next`, which has a history of its own. */
static bool play_moves(struct ugi *next, char *moves, struct cause *cause)
{
    while (*moves != '\0') {
        const char *text = next_word(&moves);
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
    char none[] = "", *moves = cut_at_word(rest, "moves");

    ugi->placed = read_position(ugi, rest, &position, &cause);
    if (ugi->placed) {
        set_position(&next, &position);
        ugi->placed = play_moves(&next, moves != NULL ? moves : none, &cause);
        ugi->position = next.position;
        history_copy(&ugi->history, &next.history);
        history_release(&next.history);
    }
    if (!ugi->placed)
        ugi_print_error(ugi, cause.text);
}

/* Counts like perft(), unless it is stopped, which leaves out the rest. */
static uint64_t count_leaves(const struct question *question, const struct position *position,
                             int depth)
{
    struct move moves[MOVES_MAX];
    uint64_t nodes = 0;

    if (depth <= 1)
        return perft(question->game, position, depth);
    int count = question->game->legal(position, moves);
    for (int i = 0; i < count && !atomic_load(question->stop); i++) {
        struct position next = *position;
        question->game->apply(&next, moves[i]);
        nodes += count_leaves(question, &next, depth - 1);
    }
    return nodes;
}

/* Prints the count of each move that it gets to, and the total. */
static struct move count_moves(const struct question *question)
{
    struct ugi *ugi = question->context;
    struct move moves[MOVES_MAX];
    int depth = question->limits.depth_plies;
    int count = depth > 0 ? question->game->legal(&question->position, moves) : 0;
    uint64_t total = depth > 0 ? 0 : 1;

    for (int i = 0; i < count && !atomic_load(question->stop); i++) {
        char text[MOVE_TEXT_MAX];
        struct position next = question->position;
        question->game->apply(&next, moves[i]);
        uint64_t nodes = count_leaves(question, &next, depth - 1);
        total += nodes;
        if (atomic_load(question->stop))
            break;
        move_format(&question->position, moves[i], text);
        ugi_stream_say(&ugi->stream, "%s: %llu", text, (unsigned long long)nodes);
    }
    if (atomic_load(question->stop))
        ugi_print_error(ugi, "perft was stopped: the total is of what was counted");
    ugi_stream_say(&ugi->stream, "nodes: %llu", (unsigned long long)total);
    return (struct move){.from = 0};
}

static void start_perft(struct ugi *ugi, int depth)
{
    static const struct engine counter = {.name = "perft", .think = count_moves};
    static const atomic_bool never;
    struct question question = {.game = ugi->game,
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
                  &(struct question){.game = ugi->game,
                                     .position = ugi->position,
                                     .history = ugi->history,
                                     .limits = go->limits,
                                     .tt = &ugi->tt,
                                     .threads = ugi->threads,
                                     .rng = &ugi->rng,
                                     .report = print_info,
                                     .context = ugi});
}

static void remark(void *context, const char *text)
{
    ugi_print_error(context, text);
}

static void run_go(struct ugi *ugi, char *rest)
{
    struct go go;

    go_read(&go, rest, ugi->game, &ugi->position, remark, ugi);
    if (ugi->placed && go.perft_plies >= 0) {
        start_perft(ugi, go.perft_plies);
    } else if (is_over(ugi)) {
        ugi_print_error(ugi, ugi->placed ? "the game is over" : "no position: it was refused");
        /* UCI's null move: otherwise the asker would wait for ever. */
        ugi_stream_say(&ugi->stream, go.perft_plies >= 0 ? "nodes: 0" : "bestmove 0000");
    } else {
        start_thinking(ugi, &go);
    }
}

static void run_query(struct ugi *ugi, char *rest)
{
    static const char *const results[] = {"none", "p1win", "p2win", "draw"};
    const char *what = next_word(&rest), *response = NULL;

    if (strcmp(what, "gameover") == 0)
        response = is_over(ugi) ? "true" : "false";
    else if (strcmp(what, "p1turn") == 0)
        response = ugi->placed && ugi->position.side == WHITE ? "true" : "false";
    else if (strcmp(what, "result") == 0)
        response = results[outcome_of(ugi).result];
    if (response != NULL)
        ugi_stream_say(&ugi->stream, "response %s", response);
    else
        ugi_print_error(ugi, "query takes gameover, p1turn or result");
}

static void run_d(struct ugi *ugi, char *rest)
{
    char drawing[BOARD_TEXT_MAX], text[POSITION_TEXT_MAX];
    struct outcome outcome = outcome_of(ugi);
    const char *reason = reason_text(outcome.reason);
    struct board board;

    (void)rest;
    if (!ugi->placed) {
        ugi_print_error(ugi, "no position: it was refused");
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
    {.verb = "setoption", .run = run_setoption, .idle = true},
    {.verb = "position", .run = run_position, .idle = true},
    {.verb = "go", .run = run_go, .idle = true},
    {.verb = "stop", .run = ugi_stop},
    {.verb = "query", .run = run_query},
    {.verb = "d", .run = run_d},
};

const struct ugi_command *ugi_find_command(const char *line)
{
    size_t length = strcspn(line, " \t");

    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strlen(commands[i].verb) == length && strncmp(commands[i].verb, line, length) == 0)
            return &commands[i];
    return NULL;
}

void ugi_open(struct ugi *ugi)
{
    struct cause cause;

    STAILQ_INIT(&ugi->waiting);
    ugi->thinker.done = take_answer;
    ugi->thinker.context = ugi;
    set_game(ugi, default_game, &cause);
}
