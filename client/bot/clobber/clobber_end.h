/*
 * Endgames of Clobber: when few moves are left, bots ask the solver (clobber_solve.h) who wins
 * before they search. Where it finds no move that wins, they choose by what it guesses.
 */
#ifndef LUDUS_BOT_CLOBBER_END_H
#define LUDUS_BOT_CLOBBER_END_H

#include "client/bot/base/move_order.h"
#include "client/bot/base/search_question.h"

/*
 * Proves what it can about the legal moves in the list, within seven eighths of the question's
 * time (of its target, where it has one) and `nodes_max` nodes as a search counts them. Adds the
 * nodes it took to *nodes. Drops moves that lose; if all do, sets *lost instead. Returns true if a
 * move wins, or if it `guesses` which of those left promises most: it reports the move and leaves
 * it alone in the list.
 *
 * The solver lives in `tt`, takes as much memory again, and is made when first needed.
 */
bool clobber_prove(const struct search_question *question, struct tt *tt, uint64_t nodes_max,
                   bool guesses, struct move_list *list, uint64_t *nodes, bool *lost);

#endif
