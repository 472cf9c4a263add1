/*
 * Symmetries of the games: a position seen in a mirror has the moves of the position, seen in the
 * mirror. That holds for rules that nobody has written down twice.
 */
#ifndef LUDUS_SYMMETRY_H
#define LUDUS_SYMMETRY_H

#include "common/game.h"

/* What is done to a board, in this order. */
struct symmetry {
    bool mirror;    /* the files run the other way */
    bool flip;      /* the ranks run the other way */
    bool transpose; /* files become ranks */
    bool swap;      /* the colours are swapped, and the side to move */
};

/* Whether the game is the same seen so. */
bool symmetry_fits(const struct symmetry *symmetry, const struct game *game);

/* The position seen so. Requires that the game accepts it. */
void symmetry_position(const struct symmetry *symmetry, const struct game *game,
                       const struct position *position, struct position *seen);

/* A move of that position. */
struct move symmetry_move(const struct symmetry *symmetry, const struct position *position,
                          struct move move);

#endif
