#include "move_order.h"

#include "common/rng.h"

enum {
    HINT_UNIT = ORDER_HINTED,
    KILLER_RANK = HINT_UNIT / 2,
    HISTORY_MAX = HINT_UNIT / 4,
    DEPTH_REWARDED = 16
};

static inline int move_origin(struct move move)
{
    return move.kind == MOVE_PLACE ? move.piece & (ORDER_SQUARES - 1) : move.from;
}

static inline int32_t rank_of(const struct order *order, int side, int ply, struct move move)
{
    for (int i = 0; i < KILLERS; i++)
        if (move_equal(order->killers[ply][i], move))
            return KILLER_RANK - i;
    return order->history[side][move_origin(move)][move.to];
}

void order_rank(const struct order *order, struct move_list *list, int from, int side, int ply,
                const int32_t *hints)
{
    for (int i = from; i < list->count; i++)
        list->ranks[i] =
            rank_of(order, side, ply, list->moves[i]) + (hints != NULL ? hints[i] * HINT_UNIT : 0);
}

struct move order_pick(struct move_list *list, int from)
{
    int best = from;

    for (int i = from + 1; i < list->count; i++)
        if (list->ranks[i] > list->ranks[best])
            best = i;
    struct move move = list->moves[best];
    int32_t rank = list->ranks[best];
    list->moves[best] = list->moves[from];
    list->ranks[best] = list->ranks[from];
    list->moves[from] = move;
    list->ranks[from] = rank;
    return move;
}

void order_reward(struct order *order, int side, int ply, struct move move, int depth_plies)
{
    int32_t *history = &order->history[side][move_origin(move)][move.to];
    int depth = depth_plies < DEPTH_REWARDED ? depth_plies : DEPTH_REWARDED;
    int bonus = 16 * depth * depth;

    if (!move_equal(order->killers[ply][0], move)) {
        order->killers[ply][1] = order->killers[ply][0];
        order->killers[ply][0] = move;
    }
    /* The closer to the limit, the less is added, so that recent rewards count most. */
    *history += bonus - *history * bonus / HISTORY_MAX;
}

void order_shuffle(struct move *moves, int count, uint64_t *rng)
{
    for (int i = count - 1; i > 0; i--) {
        int j = rng_below(rng, i + 1);
        struct move swapped = moves[i];
        moves[i] = moves[j];
        moves[j] = swapped;
    }
}
