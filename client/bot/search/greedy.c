/* Takes a win, gives none away, and else plays the move after which the position looks best. */
#include "client/bot/base/move_order.h"
#include "client/bot/eval/eval.h"
#include "engine.h"
#include "guide.h"

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
static int value_of(const struct question *question, struct move move, uint64_t *nodes)
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
    return can_win(game, &next, nodes) ? 1 - SCORE_WIN : -evaluate(game, &next);
}

static struct move greedy_think(const struct question *question)
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

const struct engine greedy_engine = {
    .name = "greedy",
    .summary = "takes a win, never hands one over, otherwise plays what looks best at once",
    .think = greedy_think,
};
