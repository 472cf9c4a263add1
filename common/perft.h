/* Counting move sequences, the field's test of a move generator. */
#ifndef LUDUS_PERFT_H
#define LUDUS_PERFT_H

#include "game.h"

/* The number of sequences of exactly `depth` legal moves from the position. The last ply
 * is counted by legal() without being played ("bulk counting"). depth 0 gives 1. */
uint64_t perft(const struct game *game, const struct position *position, int depth);

#endif
