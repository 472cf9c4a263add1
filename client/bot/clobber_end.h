/*
 * The end of a game of Clobber, for the bots: when few moves are left, the solver (clobber_solve.h)
 * is asked who wins before anything is searched.
 */
#ifndef LUDUS_BOT_CLOBBER_END_H
#define LUDUS_BOT_CLOBBER_END_H

#include "engine.h"
#include "order.h"

/*
 * Proves what it can about the moves of the list, the legal ones of the question's position, within
 * half of the time of the question (of its target, where it has one) and `nodes_max` nodes as a
 * search counts them; adds to *nodes what it took. Returns true when the winner is known, which is
 * reported: the list is then one move that wins, or if there is none, the one that was hardest to
 * refute. Else moves that lose for certain are left out, and one move at least stays.
 *
 * The solver is kept in `memory`, has the same size again, and is made when it is needed first.
 */
bool clobber_prove(const struct question *question, struct memory *memory, uint64_t nodes_max,
                   struct move_list *list, uint64_t *nodes);

#endif
