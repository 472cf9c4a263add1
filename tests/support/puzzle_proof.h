/*
 * Proves a puzzle once more, by the rules alone: every reply is tried, by a search that shares
 * nothing with the one that made the puzzle, neither solver nor evaluation nor keys.
 */
#ifndef LUDUS_PUZZLE_PROOF_H
#define LUDUS_PUZZLE_PROOF_H

#include "common/puzzle.h"

/* Whether all is true that the puzzle says: its move wins within its plies and in no fewer, and
 * after each other legal move and the reply to it, no move wins: in Clobber and in Xadrersi at all,
 * in other games within the plies that are left. If not, the cause says what is wrong. Adds the
 * positions made to *nodes. */
bool puzzle_prove(const struct puzzle *puzzle, uint64_t *nodes, struct cause *cause);

#endif
