/*
 * The engines: they play legal moves in every position and keep to their limits, and greedy
 * captures what it can. Seeds are fixed, so a failure repeats.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "client/bot/search/engine.h"
#include "client/games/guide.h"
#include "common/levels.h"
#include "common/move.h"
#include "common/rng.h"

enum { PLIES_MAX = 300 };

/* The latest report of an engine. */
struct heard {
    int times;
    struct info info;
    struct move first;
};

static uint64_t rng = 2026;
static atomic_bool stop;

static void hear(void *context, const struct info *info)
{
    struct heard *heard = context;

    heard->times++;
    heard->info = *info;
    heard->first = info->pv[0];
}

/* A question about the position, with no history but itself. */
static bool ask_about(struct search_question *question, const char *game, const char *position)
{
    struct cause cause;

    *question = (struct search_question){.limits = NO_LIMITS, .rng = &rng, .stop = &stop};
    question->game = game_open(game, &question->position, NULL, &cause);
    const char *variant = strchr(game, ':') != NULL ? strchr(game, ':') + 1 : NULL;
    if (!CHECK_THAT(question->game != NULL, "%s: %s", game, cause.text))
        return false;
    if (position != NULL &&
        !CHECK_THAT(question->game->parse(variant, position, &question->position, &cause), "%s: %s",
                    position, cause.text))
        return false;
    history_add(&question->history, question->game->key(&question->position));
    return true;
}

/* Plays a move on the question's position. */
static void play_move(struct search_question *question, struct move move)
{
    question->game->apply(&question->position, move);
    history_add(&question->history, question->game->key(&question->position));
}

static bool is_legal(const struct search_question *question, struct move move)
{
    struct move moves[MOVES_MAX];
    int count = question->game->legal(&question->position, moves);

    for (int i = 0; i < count; i++)
        if (move_equal(moves[i], move))
            return true;
    return false;
}

/* Positions with one move that greedy must find: the only one that wins at once, or the only one
 * that stops the opponent from winning at once. */
static const struct {
    const char *game, *position, *move;
} only_moves[] = {
    {"clobber", "pPpP w", "b1c1"},
    {"clobber", "1P1P/Pp2/1Pp1/1p1p w", "b2b3"},
    {"clobber", "2p1/PpPp/1P2/p1PP b", "b3c3"},
    {"clobber", "PpPP/2P1/1p2/pPpp w", "b1c1"},
    {"clobber", "1P2/p1Pp/1Pp1/Pp1P b", "c2b2"},
    {"xadrersi:touch", "8/8/1R6/B1n5/Nb1R4/1nqBr3/NK2Qr2/1b6[k] b - b6", "K@c6"},
    {"xadrersi:touch", "Bn1rR3/N1b5/NqK5/1Q6/rnb5/B7/8/8[Rk] w - c4", "R@d3"},
    {"xadrersi:attack", "6bN/8/3N4/3Bq3/1B3K2/2R1n1b1/n5r1/2R2Q1r[k] b - c1", "K@c4"},
    {"xadrersi:attack", "3KN3/2Brq1N1/3b1n2/2R4b/8/3r2n1/4Q3/3B4[Rk] w - d6", "R@f4"},
    {"latrunculi", "s2s1s1s/8/3d4/8/3S4/S1sDs1s1/1s4S1/1S1SSS1S b 15", "b2d2"},
    {"latrunculi", "2s5/8/5dS1/1sS5/sDSs2S1/S6s/4S2S/S7 b 22", "h3b3"},
    {"latrunculi", "2ss2s1/1Sd5/8/4s2s/7S/6S1/1S3s2/2ssDSS1 w 16", "b2d2"},
    {"shakti", "*5*/2*1*2/w2**2/5*1/1k1w1*W/1*3*1/*1K3* b 0", "d3c2"},
    {"shakti", "*5*/2*1*2/w2**w1/4**1/1k2W*1/1*3*1/*1K3* b 0", "f5c2"},
    {"shakti", "*4k*/ww***2/1**1**W/***W**K/1*****1/1*1***1/*1**2* b 0", "b6f6"},
};

static void test_only_moves(void)
{
    struct search_question question;
    char text[MOVE_TEXT_MAX];

    for (size_t i = 0; i < sizeof only_moves / sizeof only_moves[0]; i++) {
        check_about("%s %s", only_moves[i].game, only_moves[i].position);
        if (ask_about(&question, only_moves[i].game, only_moves[i].position)) {
            move_format(&question.position, engine_find("greedy")->think(&question), text);
            CHECK_TEXT(text, only_moves[i].move);
        }
        history_release(&question.history);
    }
}

/* Makes the history hold the position after a move. */
static void have_been_after(struct search_question *question, struct move move)
{
    struct position next = question->position;

    question->game->apply(&next, move);
    history_add(&question->history, question->game->key(&next));
}

/* Greedy repeats a position only when it is worse off. */
static void test_repetitions(void)
{
    struct search_question question;
    struct move moves[MOVES_MAX];

    check_about("eight soldiers against one");
    if (ask_about(&question, "latrunculi", "8/3d4/8/s7/8/8/4D3/SSSSSSSS w 0")) {
        uint64_t same_rng = rng;
        struct move best = engine_find("greedy")->think(&question);
        have_been_after(&question, best);
        rng = same_rng;
        CHECK(!move_equal(engine_find("greedy")->think(&question), best));
    }
    history_release(&question.history);
    check_about("one soldier against eight");
    if (ask_about(&question, "latrunculi", "ssssssss/3d4/8/8/S7/8/4D3/8 w 0")) {
        int count = question.game->legal(&question.position, moves);
        have_been_after(&question, moves[count / 2]);
        CHECK(move_equal(engine_find("greedy")->think(&question), moves[count / 2]));
    }
    history_release(&question.history);
}

/* Plays one match with some random moves, so that all kinds of positions come up. */
static int check_match(const struct engine *engine, const char *game)
{
    struct search_question question;
    int positions = 0;

    if (!ask_about(&question, game, NULL))
        return 1;
    for (; positions < PLIES_MAX; positions++) {
        if (history_outcome(&question.history, question.game, &question.position).result !=
            RESULT_NONE)
            break;
        struct move move = engine->think(&question);
        int value = guide_eval(question.game, &question.position);
        if (!CHECK(is_legal(&question, move)) ||
            !CHECK_THAT(value > -SCORE_WIN + 1 && value < SCORE_WIN - 1, "worth %d", value))
            break;
        play_move(&question, positions % 3 == 0 ? engine_find("random")->think(&question) : move);
    }
    history_release(&question.history);
    return positions;
}

/* The variants to play: every listed one, and more sizes of Clobber. */
static const char *const all_games[] = {"clobber:1x2", "clobber:3x3",    "clobber:4x5",
                                        "clobber:5x6", "clobber:8x8",    "clobber:10x10",
                                        "clobber:7x9", "xadrersi:touch", "latrunculi",
                                        "shakti",      "xadrersi:attack"};

enum { GAMES = sizeof all_games / sizeof all_games[0] };

static void test_legality(const struct engine *engine, int enough)
{
    for (int i = 0; i < GAMES; i++) {
        check_about("%s plays %s", engine->name, all_games[i]);
        for (int positions = 0, matches = 0; positions < enough && matches < enough / 4; matches++)
            positions += check_match(engine, all_games[i]);
    }
}

/* An engine returns a legal move in spite of limits and stops. */
static void test_limits(void)
{
    static const struct search_limits limits[] = {
        {INT64_MAX, INT_MAX, 1, 0}, {INT64_MAX, 1, UINT64_MAX, 0}, {0, INT_MAX, UINT64_MAX, 0}};
    struct search_question question;
    struct heard heard;

    check_about("limits");
    if (!ask_about(&question, "xadrersi", NULL))
        return;
    play_move(&question, engine_find("random")->think(&question));
    question.report = hear;
    question.context = &heard;
    for (int i = 0; i < 4; i++) {
        heard = (struct heard){0};
        atomic_store(&stop, i == 3);
        question.limits = i < 3 ? limits[i] : NO_LIMITS;
        struct move move = engine_find("greedy")->think(&question);
        CHECK(is_legal(&question, move));
        CHECK_INT(heard.times, 1);
        CHECK_INT(heard.info.pv_plies, 1);
        CHECK(move_equal(heard.first, move));
        CHECK(i == 1 ? heard.info.nodes > 1000 : heard.info.nodes < 1000);
    }
    atomic_store(&stop, false);
    history_release(&question.history);
}

/* Two armies of one colour each that touch in few places: few moves now, but very many later. The
 * engine must not count them all. */
static void test_bounded(void)
{
    struct search_question question;

    check_about("armies");
    if (!ask_about(&question, "clobber",
                   "PPPP2pppp/PPPP2pppp/PPPP2pppp/PPPPPppppp/PPPP2pppp/PPPP2pppp/PPPP2pppp/"
                   "PPPPPppppp/PPPP2pppp/PPPP2pppp w"))
        return;
    int64_t started_ms = check_cpu_ms();
    CHECK(is_legal(&question, engine_find("greedy")->think(&question)));
    int value = guide_eval(question.game, &question.position);
    CHECK_THAT(value > -5000 && value < 5000, "worth %d, as if it were counted out", value);
    CHECK(check_cpu_ms() - started_ms < 5000);
    history_release(&question.history);
}

static void take_answer(void *context, struct move move)
{
    *(struct move *)context = move;
}

static void test_thinker(void)
{
    struct move move = {0};
    struct thinker thinker = {.done = take_answer, .context = &move};
    struct search_question question;
    uint64_t own_rng = 1; /* the stop comes at a random moment, which must not affect the other
                           * tests */

    check_about("thinker");
    if (!ask_about(&question, "shakti", NULL))
        return;
    question.rng = &own_rng;
    for (int i = 0; i < 20; i++) {
        thinker_start(&thinker, engine_find("greedy"), &question);
        CHECK(thinker.busy);
        thinker_stop(&thinker);
        thinker_wait(&thinker);
        CHECK(!thinker.busy && is_legal(&question, move));
        play_move(&question, move);
    }
    history_release(&question.history);
    thinker_release(&thinker);
}

static void test_names(void)
{
    check_about("names");
    CHECK(strcmp(engine_find("random")->name, "random") == 0);
    CHECK(strcmp(engine_find("GREEDY")->name, "greedy") == 0);
    CHECK(engine_find("") == NULL && engine_find("greed") == NULL);
}

/* The server uses the names in common/. */
static void test_level_names(void)
{
    int level = 0;

    check_about("the levels by name are the engines");
    for (; engines[level] != NULL && level_names[level] != NULL; level++)
        CHECK_TEXT(level_names[level], engines[level]->name);
    CHECK(engines[level] == NULL && level_names[level] == NULL);
}

int main(void)
{
    test_level_names();
    test_names();
    test_only_moves();
    test_repetitions();
    test_limits();
    test_bounded();
    test_thinker();
    test_legality(engine_find("random"), 800);
    test_legality(engine_find("greedy"), 300);
    return check_end("test_bot");
}
