/*
 * Move ordering. A search tries the most promising moves first: the move of the transposition
 * table, then by the game's own hints (guide.h), killer moves, and the history heuristic
 * (Schaeffer, 1983).
 */
#ifndef LUDUS_BOT_MOVE_ORDER_H
#define LUDUS_BOT_MOVE_ORDER_H

#include "common/move.h"

enum { NO_MOVE = 255 }; /* the kind of a move that is none */

enum { ORDER_PLIES = 128, KILLERS = 2, ORDER_SQUARES = 128 };

/* Moves with a hint above 0 rank from here on, all others below. */
enum { ORDER_HINTED = 1 << 16 };

struct order {
    struct move killers[ORDER_PLIES][KILLERS];
    int32_t history[2][ORDER_SQUARES][ORDER_SQUARES]; /* by side, origin (or piece), target */
};

/* The moves of one position with their ranks. */
struct move_list {
    int count;
    struct move moves[MOVES_MAX];
    int32_t ranks[MOVES_MAX];
};

/* Ranks the moves from `from` on. hints[i] belongs to move i; hints may be NULL. */
void order_rank(const struct order *order, struct move_list *list, int from, int side, int ply,
                const int32_t *hints);

/* Swaps the best of the moves from `from` on into that place and returns it. */
struct move order_pick(struct move_list *list, int from);

/* Notes that the move caused a beta cutoff at this depth. */
void order_reward(struct order *order, int side, int ply, struct move move, int depth_plies);

/* Shuffles the moves, so that chance decides between equals. */
void order_shuffle(struct move *moves, int count, uint64_t *rng);

#endif
