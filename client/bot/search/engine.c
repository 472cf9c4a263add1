/*
 * The engines: two that look at the next position at most, and seven that think ahead: one search
 * with different skills. The levels of a game (guide.h) were chosen by matches, so that each of
 * these wins about 65 to 85 of 100 against the one below: see tests/bench/STRENGTH.md.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/bot/base/move_order.h"
#include "client/games/guide.h"
#include "common/rng.h"
#include "tree.h"

/* ---- random: the smallest engine, and the example for others ---- */

static struct move random_think(const struct search_question *question)
{
    struct move moves[MOVES_MAX];
    int count = question->game->legal(&question->position, moves);

    return moves[rng_below(question->rng, count)];
}

static const struct engine random_engine = {
    .name = "random",
    .summary = "plays any legal move",
    .think = random_think,
};

/* ---- greedy: takes a win, gives none away, else plays what looks best at once ---- */

/* Only a side that is this much worse off takes a draw. */
enum { CONTEMPT = 100 };

/* Whether the side to move has a move that wins at once. */
static bool can_win(const struct game *game, const struct position *position, uint64_t *nodes)
{
    struct move moves[MOVES_MAX];
    int count = game->legal(position, moves);

    for (int i = 0; i < count; i++) {
        struct position next = *position;
        game->apply(&next, moves[i]);
        ++*nodes;
        if (game->outcome(&next).result == result_win(position->side))
            return true;
    }
    return false;
}

/* What a move is worth to the side that makes it. A repeated position counts as the draw that it
 * leads to. */
static int value_of(const struct search_question *question, struct move move, uint64_t *nodes)
{
    const struct game *game = question->game;
    struct position next = question->position;

    game->apply(&next, move);
    ++*nodes;
    struct outcome outcome = game->outcome(&next);
    if (outcome.result == result_win(question->position.side))
        return SCORE_WIN;
    if (outcome.result == result_win(!question->position.side))
        return -SCORE_WIN;
    if (outcome.result == RESULT_DRAW ||
        (game->repetition_draws && history_count(&question->history, game->key(&next)) > 0))
        return -CONTEMPT;
    return can_win(game, &next, nodes) ? 1 - SCORE_WIN : -guide_eval(game, &next);
}

static struct move greedy_think(const struct search_question *question)
{
    struct move moves[MOVES_MAX], best;
    int count = question->game->legal(&question->position, moves);
    uint64_t nodes = 0;

    order_shuffle(moves, count, question->rng);
    best = moves[0];
    int best_value = value_of(question, best, &nodes);
    for (int i = 1; i < count && !question_is_due(question, nodes); i++) {
        int value = value_of(question, moves[i], &nodes);
        if (value > best_value) {
            best = moves[i];
            best_value = value;
        }
    }
    if (question->report != NULL)
        question->report(
            question->context,
            &(struct info){
                .depth_plies = 1, .score = best_value, .nodes = nodes, .pv = &best, .pv_plies = 1});
    return best;
}

static const struct engine greedy_engine = {
    .name = "greedy",
    .summary = "takes a win, avoids an immediate loss, else maximises the next position",
    .think = greedy_think,
};

/* ---- Those that think ahead ---- */

/* For games without levels of their own. */
static const struct level plain_levels[LEVELS] = {
    [GENTLE] = {.nodes = 300, .noise = 4},  [EASY] = {.nodes = 700, .noise = 2},
    [MEDIUM] = {.nodes = 1500, .noise = 1}, [HARD] = {.nodes = 3000, .noise = 1},
    [EXPERT] = {.nodes = 7000, .noise = 1}, [MASTER] = {.nodes = 15000, .noise = 1},
};

static struct move think_ahead(const struct search_question *question, int number)
{
    const struct guide *guide = guide_of(question->game);
    bool own = guide != NULL && guide->levels[number].nodes > 0;
    const struct level *level = own ? &guide->levels[number] : &plain_levels[number];
    struct skill skill = {.nodes = level->nodes,
                          .noise = level->noise,
                          .prove_nodes = level->prove_nodes,
                          .no_threats = number < HARD};

    if (own && guide->level_squares > 0)
        skill.nodes = skill.nodes * question->position.width * question->position.height /
                      (unsigned)guide->level_squares;
    if (guide != NULL && number >= HARD && guide->exact_plies > 0 &&
        guide->plies_left(&question->position) <= guide->exact_plies)
        skill = (struct skill){0};
    return search_think(question, &skill);
}

static struct move gentle_think(const struct search_question *question)
{
    return think_ahead(question, GENTLE);
}

static struct move easy_think(const struct search_question *question)
{
    return think_ahead(question, EASY);
}

static struct move medium_think(const struct search_question *question)
{
    return think_ahead(question, MEDIUM);
}

static struct move hard_think(const struct search_question *question)
{
    return think_ahead(question, HARD);
}

static struct move expert_think(const struct search_question *question)
{
    return think_ahead(question, EXPERT);
}

static struct move master_think(const struct search_question *question)
{
    return think_ahead(question, MASTER);
}

static struct move max_think(const struct search_question *question)
{
    const struct search_limits *limits = &question->limits;
    /* Who counts nodes or plies wants the same answer again. */
    bool counted = limits->nodes != UINT64_MAX || limits->depth_plies != INT_MAX;

    return search_think(
        question, &(struct skill){
                      .prove_nodes = UINT64_MAX, .guesses = true, .book = true, .steady = counted});
}

static const struct engine gentle_engine = {
    .name = "gentle", .summary = "looks a few moves ahead, and errs often", .think = gentle_think};

static const struct engine easy_engine = {
    .name = "easy", .summary = "looks a few moves ahead, and errs at times", .think = easy_think};

static const struct engine medium_engine = {
    .name = "medium", .summary = "looks further ahead", .think = medium_think};

static const struct engine hard_engine = {
    .name = "hard", .summary = "looks far ahead", .think = hard_think};

static const struct engine expert_engine = {
    .name = "expert", .summary = "looks far ahead, and rarely errs", .think = expert_think};

static const struct engine master_engine = {
    .name = "master", .summary = "looks very far ahead", .think = master_think};

static const struct engine max_engine = {.name = "max",
                                         .summary =
                                             "plays as well as it can, and takes its time: a "
                                             "second a move, or its share of the clock",
                                         .think = max_think};

const struct engine *const engines[] = {
    &random_engine, &greedy_engine, &gentle_engine, &easy_engine, &medium_engine,
    &hard_engine,   &expert_engine, &master_engine, &max_engine,  NULL};

const struct engine *engine_find(const char *name)
{
    for (const struct engine *const *engine = engines; *engine != NULL; engine++)
        if (strcasecmp((*engine)->name, name) == 0)
            return *engine;
    return NULL;
}

/* ---- A thread for an engine ---- */

static void *run_thinker(void *argument)
{
    struct thinker *thinker = argument;

    thinker->done(thinker->context, thinker->engine->think(&thinker->question));
    return NULL;
}

void thinker_start(struct thinker *thinker, const struct engine *engine,
                   const struct search_question *question)
{
    struct history history = thinker->question.history;

    history_copy(&history, &question->history);
    thinker->question = *question;
    thinker->question.history = history;
    thinker->question.stop = &thinker->stop;
    thinker->engine = engine;
    atomic_store(&thinker->stop, false);
    int error = pthread_create(&thinker->thread, NULL, run_thinker, thinker);
    if (error != 0) {
        fprintf(stderr, "ludus-bot: thread: %s\n", strerror(error));
        exit(1);
    }
    thinker->busy = true;
}

void thinker_stop(struct thinker *thinker)
{
    atomic_store(&thinker->stop, true);
}

void thinker_wait(struct thinker *thinker)
{
    if (thinker->busy)
        pthread_join(thinker->thread, NULL);
    thinker->busy = false;
}

void thinker_release(struct thinker *thinker)
{
    history_release(&thinker->question.history);
}
