/*
 * Symmetries of the games: the moves of a mirrored position are the mirrored moves. This tests
 * rules without a second implementation.
 */
#ifndef LUDUS_SYMMETRY_H
#define LUDUS_SYMMETRY_H

#include "common/game.h"

/* The transformations of a board, in this order. */
struct symmetry {
    bool mirror;    /* the files run the other way */
    bool flip;      /* the ranks run the other way */
    bool transpose; /* files become ranks */
    bool swap;      /* the colours are swapped, and the side to move */
};

/* Returns whether the game has this symmetry. */
bool symmetry_fits(const struct symmetry *symmetry, const struct game *game);

/* Returns the transformed position. Requires that the game accepts it. */
void symmetry_position(const struct symmetry *symmetry, const struct game *game,
                       const struct position *position, struct position *seen);

/* Returns the transformed move. */
struct move symmetry_move(const struct symmetry *symmetry, const struct position *position,
                          struct move move);

#endif
