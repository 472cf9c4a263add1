/* Counts move sequences, to test move generators. */
#ifndef LUDUS_PERFT_H
#define LUDUS_PERFT_H

#include "game.h"

/* The number of sequences of exactly `depth` legal moves from the position; 1 for depth 0. Counts
 * the last ply by legal(), without playing it ("bulk counting"). */
uint64_t perft(const struct game *game, const struct position *position, int depth);

#endif
