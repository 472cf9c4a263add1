/*
 * In which order a search tries the moves of a position: the best first, as far as one can guess.
 * The remembered move, then what the game itself suggests (hints, in guide.h), killers, and moves
 * that have been too good elsewhere (the history heuristic: Schaeffer, 1983).
 */
#ifndef LUDUS_BOT_MOVE_ORDER_H
#define LUDUS_BOT_MOVE_ORDER_H

#include <string.h>

#include "common/game.h"

enum { NO_MOVE = 255 }; /* the kind of what stands for no move */

enum { ORDER_PLIES = 128, KILLERS = 2, ORDER_SQUARES = 128 };

/* A move with a hint of 1 or more ranks from here on, one without below. */
enum { ORDER_HINTED = 1 << 16 };

struct order {
    struct move killers[ORDER_PLIES][KILLERS];
    int32_t history[2][ORDER_SQUARES][ORDER_SQUARES]; /* by side, from (or the piece) and to */
};

/* The moves of one position with their ranks. */
struct move_list {
    int count;
    struct move moves[MOVES_MAX];
    int32_t ranks[MOVES_MAX];
};

/* Ranks the moves from `from` on. hints[i] is for move i; hints may be NULL. */
void order_rank(const struct order *order, struct move_list *list, int from, int side, int ply,
                const int32_t *hints);

/* Brings the best of the moves from `from` on to that place, and returns it. */
struct move order_pick(struct move_list *list, int from);

/* A move has been too good for the other side, at this depth. */
void order_reward(struct order *order, int side, int ply, struct move move, int depth_plies);

/* move_equal() in one instruction. */
static inline bool order_same(struct move a, struct move b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Leaves the order of the moves to chance, where it decides between equals. */
void order_shuffle(struct move *moves, int count, uint64_t *rng);

#endif
