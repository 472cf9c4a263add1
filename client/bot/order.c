#include "order.h"

#include <limits.h>
#include <string.h>

enum { HINT_UNIT = ORDER_HINTED, KILLER_RANK = HINT_UNIT / 2, HISTORY_MAX = HINT_UNIT / 4 };

/* move_equal() in one instruction; this is where a search spends much of its time. */
static inline bool same(struct move a, struct move b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static inline int origin(struct move move)
{
    return move.kind == MOVE_PLACE ? move.piece & (ORDER_SQUARES - 1) : move.from;
}

static inline int32_t rank_of(const struct order *order, int side, int ply, struct move move)
{
    for (int i = 0; i < KILLERS; i++)
        if (same(order->killers[ply][i], move))
            return KILLER_RANK - i;
    return order->history[side][origin(move)][move.to];
}

void order_rank(const struct order *order, struct move_list *list, int side, int ply,
                struct move first, const int32_t *hints)
{
    for (int i = 0; i < list->count; i++) {
        if (same(list->moves[i], first))
            list->ranks[i] = INT32_MAX;
        else
            list->ranks[i] = rank_of(order, side, ply, list->moves[i]) +
                             (hints != NULL ? hints[i] * HINT_UNIT : 0);
    }
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

/* Halving all when one grows too large keeps what was learned last in front. */
static void halve(struct order *order)
{
    int32_t *numbers = &order->history[0][0][0];

    for (int i = 0; i < 2 * ORDER_SQUARES * ORDER_SQUARES; i++)
        numbers[i] /= 2;
}

void order_reward(struct order *order, int side, int ply, struct move move, int depth_plies)
{
    int32_t *history = &order->history[side][origin(move)][move.to];

    if (!same(order->killers[ply][0], move)) {
        order->killers[ply][1] = order->killers[ply][0];
        order->killers[ply][0] = move;
    }
    *history += depth_plies * depth_plies;
    if (*history > HISTORY_MAX)
        halve(order);
}
