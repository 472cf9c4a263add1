/*
 * `ludus-bot ugi`: an engine on standard input and output. It speaks the Universal Game Interface
 * as cutegames defines it (github.com/kz04px/cutegames, ugi.md), and adds the options Game, Level,
 * Hash and Threads, `go perft` and `d`. Player 1 is white.
 *
 * The main thread reads and obeys commands. The engine thinks in a thread of its own, which prints
 * `info` lines and `bestmove`. Only `go infinite` keeps its answer until `stop`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bot.h"
#include "client/bot/base/words.h"
#include "client/bot/thinker.h"
#include "common/move.h"
#include "common/number.h"
#include "common/position_text.h"
#include "go.h"

static const char default_game[] = "clobber:5x6";

struct ugi {
    const struct game *game;
    char variant[VARIANT_NAME_MAX]; /* "" when none was named */
    struct position position;
    struct history history;
    const struct engine *engine;
    long seed; /* where rng begins */
    uint64_t rng;
    struct thinker thinker;
    struct tt tt;       /* of the thinker; its size is the option Hash */
    int threads;        /* to search in */
    int64_t started_ms; /* when the search began */
    bool infinite;      /* it searches until `stop` */
    struct move kept;   /* its answer, while infinite */
};

static void print_error(const char *text)
{
    printf("info string error: %s\n", text);
}

static struct outcome outcome_of(const struct ugi *ugi)
{
    return history_outcome(&ugi->history, ugi->game, &ugi->position);
}

static void print_best(const struct ugi *ugi, struct move move)
{
    char text[MOVE_TEXT_MAX];

    move_format(&ugi->thinker.question.position, move, text);
    printf("bestmove %s\n", text);
}

/* In the thinker's thread. */
static void take_answer(void *context, struct move move)
{
    struct ugi *ugi = context;

    if (ugi->infinite)
        ugi->kept = move;
    else
        print_best(ugi, move);
}

/* In the thinker's thread. */
static void print_info(void *context, const struct info *info)
{
    const struct ugi *ugi = context;
    uint64_t ms = (uint64_t)(clock_ms() - ugi->started_ms);

    flockfile(stdout); /* keeps the line in one piece */
    printf("info depth %d score cp %d time %llu nodes %llu nps %llu pv", info->depth_plies,
           info->score, (unsigned long long)ms, (unsigned long long)info->nodes,
           (unsigned long long)(info->nodes * 1000 / (ms > 0 ? ms : 1)));
    for (int i = 0; i < info->pv_plies; i++) {
        char text[MOVE_TEXT_MAX];
        move_format(&ugi->thinker.question.position, info->pv[i], text);
        printf(" %s", text);
    }
    printf("\n");
    funlockfile(stdout);
}

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

static void run_ugi(struct ugi *ugi, char *rest)
{
    (void)ugi;
    (void)rest;
    printf("id name Ludus " LUDUS_VERSION "\n"
           "id author the Ludus authors\n"
           "option name Game type string default %s\n"
           "option name Level type combo default %s",
           default_game, DEFAULT_LEVEL);
    for (const struct engine *const *engine = engines; *engine != NULL; engine++)
        printf(" var %s", (*engine)->name);
    printf("\noption name Hash type spin default %d min 0 max %d\n"
           "option name Threads type spin default 1 min 1 max %d\nugiok\n",
           TT_MB, TT_MB_MAX, THREADS_MAX);
}

static void run_isready(struct ugi *ugi, char *rest)
{
    (void)ugi;
    (void)rest;
    printf("readyok\n");
}

static void set_position(struct ugi *ugi, const struct position *position)
{
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
        print_error(cause.text);
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
        if (outcome_of(next).result != RESULT_NONE)
            return cause_set(cause, "%.20s: the game is over", text);
        if (!move_parse(next->game, &next->position, text, &move, &refusal))
            return cause_set(cause, "%.20s: %.170s", text, refusal.text);
        next->game->apply(&next->position, move);
        history_add(&next->history, next->game->key(&next->position));
    }
    return true;
}

/* Changes nothing unless the position and all moves are valid. */
static void run_position(struct ugi *ugi, char *rest)
{
    struct position position;
    struct cause cause;
    char none[] = "", *moves = cut_at_word(rest, "moves");

    if (!read_position(ugi, rest, &position, &cause)) {
        print_error(cause.text);
        return;
    }
    struct ugi next = {.game = ugi->game};
    set_position(&next, &position);
    if (play_moves(&next, moves != NULL ? moves : none, &cause)) {
        ugi->position = next.position;
        history_copy(&ugi->history, &next.history);
    } else {
        print_error(cause.text);
    }
    history_release(&next.history);
}

static void print_perft(const struct ugi *ugi, int depth)
{
    struct move moves[MOVES_MAX];
    int count = depth > 0 ? ugi->game->legal(&ugi->position, moves) : 0;
    uint64_t total = depth > 0 ? 0 : 1;

    for (int i = 0; i < count; i++) {
        char text[MOVE_TEXT_MAX];
        struct position next = ugi->position;
        ugi->game->apply(&next, moves[i]);
        uint64_t nodes = perft(ugi->game, &next, depth - 1);
        move_format(&ugi->position, moves[i], text);
        printf("%s: %llu\n", text, (unsigned long long)nodes);
        total += nodes;
    }
    printf("nodes: %llu\n", (unsigned long long)total);
}

static void start_thinking(struct ugi *ugi, const struct go *go)
{
    ugi->started_ms = clock_ms();
    ugi->infinite = go->infinite;
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

static void run_go(struct ugi *ugi, char *rest)
{
    struct cause cause;
    struct go go;

    if (!go_parse(&go, rest, ugi->game, &ugi->position, &cause)) {
        print_error(cause.text);
    } else if (go.perft_plies >= 0) {
        print_perft(ugi, go.perft_plies);
    } else if (outcome_of(ugi).result != RESULT_NONE) {
        /* UCI's null move: otherwise the asker would wait for ever. */
        print_error("the game is over");
        printf("bestmove 0000\n");
    } else {
        start_thinking(ugi, &go);
    }
}

static void run_query(struct ugi *ugi, char *rest)
{
    static const char *const results[] = {"none", "p1win", "p2win", "draw"};
    enum result result = outcome_of(ugi).result;
    const char *what = next_word(&rest);

    if (strcmp(what, "gameover") == 0)
        printf("response %s\n", result != RESULT_NONE ? "true" : "false");
    else if (strcmp(what, "p1turn") == 0)
        printf("response %s\n", ugi->position.side == WHITE ? "true" : "false");
    else if (strcmp(what, "result") == 0)
        printf("response %s\n", results[result]);
    else
        print_error("query takes gameover, p1turn or result");
}

static void run_d(struct ugi *ugi, char *rest)
{
    char drawing[BOARD_TEXT_MAX], text[POSITION_TEXT_MAX];
    struct outcome outcome = outcome_of(ugi);
    const char *reason = reason_text(outcome.reason);
    struct board board;

    (void)rest;
    ugi->game->board(&ugi->position, &board);
    board_text(&board, false, drawing);
    ugi->game->format(&ugi->position, text);
    printf("%sposition: %s\nresult: %s%s%s\n", drawing, text, result_text(outcome.result),
           reason != NULL ? " " : "", reason != NULL ? reason : "");
}

static const struct {
    const char *verb;
    void (*run)(struct ugi *ugi, char *rest);
    bool idle; /* waits until the engine has answered */
} commands[] = {
    {.verb = "ugi", .run = run_ugi},
    {.verb = "isready", .run = run_isready},
    {.verb = "uginewgame", .run = run_uginewgame, .idle = true},
    {.verb = "setoption", .run = run_setoption, .idle = true},
    {.verb = "position", .run = run_position, .idle = true},
    {.verb = "go", .run = run_go, .idle = true},
    {.verb = "stop", .run = run_stop},
    {.verb = "query", .run = run_query},
    {.verb = "d", .run = run_d},
};

static void obey(struct ugi *ugi, const char *verb, char *rest)
{
    size_t i = 0, count = sizeof commands / sizeof commands[0];

    while (i < count && strcmp(commands[i].verb, verb) != 0)
        i++;
    if (i == count) {
        struct cause cause;
        cause_set(&cause, "unknown command '%.40s'", verb);
        print_error(cause.text);
        return;
    }
    if (commands[i].idle && ugi->thinker.busy) {
        if (ugi->infinite) {
            print_error("the engine is thinking: send stop first");
            return;
        }
        thinker_wait(&ugi->thinker);
    }
    commands[i].run(ugi, rest);
}

/* Obeys commands until `quit` or the end of the input. After the end, a search with limits goes on
 * to reach them. */
static void converse(struct ugi *ugi)
{
    char *line = NULL;
    size_t size = 0;

    while (getline(&line, &size, stdin) >= 0) {
        char *rest = line;
        line[strcspn(line, "\r\n")] = '\0';
        const char *verb = next_word(&rest);
        if (strcmp(verb, "quit") == 0) {
            run_stop(ugi, rest);
            break;
        }
        if (*verb != '\0')
            obey(ugi, verb, rest);
    }
    if (ugi->infinite)
        run_stop(ugi, NULL);
    thinker_wait(&ugi->thinker);
    free(line);
}

const struct usage_row ugi_rows[] = {
    {OPTION("level", "LEVEL", "how to play; also setoption name Level"), .code = OPTION_LEVEL,
     .standard = DEFAULT_LEVEL},
    {OPTION("seed", "N", "repeat the same random choices every time"),
     TO_NUMBER(ugi, seed, 0, LONG_MAX)},
    USAGE_LAST_ROWS,
};

static bool take_option(void *context, int code, struct cause *cause)
{
    struct ugi *ugi = context;

    (void)code; /* OPTION_LEVEL */
    return bot_take_level(&ugi->engine, cause);
}

int ugi_main(const struct usage_command *command, int argc, char **argv)
{
    struct ugi ugi = {.seed = bot_seed(), .tt = {.megabytes = TT_MB}};
    struct cause cause;
    int status = usage_read("ludus-bot", ugi_rows, ":", argc, argv, take_option, &ugi);

    if (status == USAGE_HELP) {
        usage_print_command("ludus-bot", command,
                            "Speaks the Universal Game Interface on standard input and output.");
        return bot_print_levels();
    }
    if (status != USAGE_READ)
        return status;
    if (optind < argc) {
        bot_error(argv[optind], "ugi takes no arguments");
        return EXIT_USAGE;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    ugi.rng = (uint64_t)ugi.seed;
    ugi.thinker.done = take_answer;
    ugi.thinker.context = &ugi;
    set_game(&ugi, default_game, &cause);
    converse(&ugi);
    thinker_release(&ugi.thinker);
    tt_clear(&ugi.tt);
    history_release(&ugi.history);
    return 0;
}
