/*
 * The end of a game of Clobber, for the bots: when few moves are left, the solver (clobber_solve.h)
 * is asked who wins before anything is searched.
 */
#ifndef LUDUS_BOT_CLOBBER_END_H
#define LUDUS_BOT_CLOBBER_END_H

#include "client/bot/base/move_order.h"
#include "client/bot/search/engine.h"

/*
 * Proves what it can about the moves of the list, the legal ones of the question's position, within
 * half of the time of the question (of its target, where it has one) and `nodes_max` nodes as a
 * search counts them; adds to *nodes what it took. Returns true when there is a move that wins,
 * which is reported and then the only one of the list. Else moves that lose for certain are left
 * out while others are not known to; where all lose the list stays as it was, as a search finds
 * better what sets the other side problems than the solver does.
 *
 * The solver is kept in `memory`, has the same size again, and is made when it is needed first.
 */
bool clobber_prove(const struct question *question, struct memory *memory, uint64_t nodes_max,
                   struct move_list *list, uint64_t *nodes);

#endif
