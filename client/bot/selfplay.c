/*
 * `ludus-bot selfplay`: games of a level against itself, for those who learn from them. A line of
 * JSON a game, as soon as it is over; its members have the names of the server's `record`.
 */
#include <stdio.h>

#include "bot.h"
#include "common/buffer.h"
#include "common/json_text.h"
#include "common/move.h"
#include "common/rng.h"
#include "common/xmalloc.h"

enum { GAMES_MAX = 1000000000, NODES_MAX = 1000000000, OPENING_MAX = 40, GAME_PLIES_MAX = 1000 };

struct selfplay_options {
    long games, nodes, opening_plies, seed;
    const char *level;
    bool jsonl;
};

const struct option_row selfplay_rows[] = {
    {OPTION("games", "N", "how many games"), TO_NUMBER(selfplay_options, games, 1, GAMES_MAX),
     .standard = "100"},
    {OPTION("nodes", "N", "nodes for each move"), TO_NUMBER(selfplay_options, nodes, 1, NODES_MAX),
     .standard = "1000"},
    {OPTION("level", "LEVEL", "how to play"), TO_WORD(selfplay_options, level), .standard = "max"},
    {OPTION("opening", "PLIES", "random moves at the beginning of each game"),
     TO_NUMBER(selfplay_options, opening_plies, 0, OPENING_MAX), .standard = "4"},
    {OPTION("seed", "N", "the same games for the same number"),
     TO_NUMBER(selfplay_options, seed, 0, 2147483647), .standard = "1"},
    {OPTION("jsonl", NULL, "print a line of JSON a game; the only form there is"),
     TO_FLAG(selfplay_options, jsonl)},
    OPTIONS_LAST_ROWS,
};

static const char help[] =
    "Plays a level against itself, and prints each game as a line of JSON: `game`,\n"
    "`variant`, `start`, `opening` (how many moves are random), `moves`, `positions`\n"
    "(before each move, and at the end), `evals` (what the level thinks of each position,\n"
    "for the side to move; null where it does not say), `result` and `reason`. A game\n"
    "without an end after 1000 moves has the result *.";

/* One game at a time. */
struct selfplay {
    const struct selfplay_options *options;
    const struct engine *engine;
    const struct game *game;
    struct position start;
    uint64_t rng;
    struct tt tt;
    bool knows_score; /* of the move in question */
    int score;
};

static void take_report(void *context, const struct info *info)
{
    struct selfplay *selfplay = context;

    selfplay->knows_score = true;
    selfplay->score = info->score;
}

static struct move choose_move(struct selfplay *selfplay, const struct position *position,
                               const struct history *history)
{
    static const atomic_bool never;
    struct search_question question = {.game = selfplay->game,
                                       .position = *position,
                                       .history = *history,
                                       .limits = NO_LIMITS,
                                       .tt = &selfplay->tt,
                                       .rng = &selfplay->rng,
                                       .stop = &never,
                                       .report = take_report,
                                       .context = selfplay};

    question.limits.nodes = (uint64_t)selfplay->options->nodes;
    return selfplay->engine->think(&question);
}

/* Plays a game, and writes it. Its chances depend on the seed and its number only. */
static void play_game(struct selfplay *selfplay, long number, struct buffer *json)
{
    struct buffer moves = {0}, positions = {0}, evals = {0};
    struct position position = selfplay->start;
    struct history history = {.count = 0};
    char text[POSITION_TEXT_MAX];
    struct outcome outcome;
    int plies = 0;

    selfplay->rng = splitmix64((uint64_t)selfplay->options->seed ^ splitmix64((uint64_t)number));
    tt_clear(&selfplay->tt);
    tt_resize(&selfplay->tt, 1);
    for (;; plies++) {
        history_add(&history, selfplay->game->key(&position));
        outcome = history_outcome(&history, selfplay->game, &position);
        selfplay->game->format(&position, text);
        json_word(&positions, NULL, text);
        if (outcome.result != RESULT_NONE || plies == GAME_PLIES_MAX)
            break;
        selfplay->knows_score = false;
        struct move choices[MOVES_MAX], move;
        if (plies < selfplay->options->opening_plies)
            move = choices[rng_below(&selfplay->rng, selfplay->game->legal(&position, choices))];
        else
            move = choose_move(selfplay, &position, &history);
        move_format(&position, move, text);
        json_word(&moves, NULL, text);
        if (selfplay->knows_score)
            json_integer(&evals, NULL, selfplay->score);
        else
            json_null(&evals, NULL);
        selfplay->game->apply(&position, move);
    }
    selfplay->game->variant_name(&selfplay->start, text);
    json_open(json, NULL, '{');
    json_word(json, "game", selfplay->game->name);
    json_word(json, "variant", text);
    selfplay->game->format(&selfplay->start, text);
    json_word(json, "start", text);
    json_integer(json, "opening",
                 plies < selfplay->options->opening_plies ? plies
                                                          : selfplay->options->opening_plies);
    buffer_printf(json, ",\"moves\":[%.*s],\"positions\":[%.*s],\"evals\":[%.*s]",
                  (int)moves.length, moves.bytes != NULL ? moves.bytes : "", (int)positions.length,
                  positions.bytes, (int)evals.length, evals.bytes != NULL ? evals.bytes : "");
    json_word(json, "result", result_text(outcome.result));
    json_word(json, "reason", reason_text(outcome.reason));
    json_close(json, '}');
    buffer_release(&moves);
    buffer_release(&positions);
    buffer_release(&evals);
    history_release(&history);
}

/* A line that cannot be written ends it; usage_end() says why. */
static void print_games(struct selfplay *selfplay)
{
    for (long i = 0; i < selfplay->options->games; i++) {
        struct buffer json = {0};
        play_game(selfplay, i, &json);
        buffer_puts(&json, "\n");
        bool written = fwrite(json.bytes, 1, json.length, stdout) == json.length &&
                       fflush(stdout) == 0; /* whoever waits for games can take each */
        buffer_release(&json);
        if (!written)
            return;
    }
}

int selfplay_main(const struct usage_command *command, int argc, char **argv)
{
    struct selfplay_options options = {.games = 0};
    int status = options_read("ludus-bot", selfplay_rows, OPTIONS_ANYWHERE, argc, argv, &options);
    struct selfplay selfplay = {.options = &options};
    struct cause cause;

    if (status == OPTIONS_HELP) {
        usage_print_command("ludus-bot", command, help);
        usage_print_games();
        return bot_print_levels();
    }
    if (status != OPTIONS_RUN)
        return status;
    if (argc - optind != 1) {
        bot_error("selfplay", "give one argument: GAME or GAME:VARIANT");
        return EXIT_USAGE;
    }
    selfplay.game = game_open(argv[optind], &selfplay.start, NULL, &cause);
    if (selfplay.game == NULL || !bot_find_level(&selfplay.engine, options.level, &cause)) {
        bot_error("selfplay", "%s", cause.text);
        return EXIT_USAGE;
    }
    print_games(&selfplay);
    tt_clear(&selfplay.tt);
    return 0;
}
