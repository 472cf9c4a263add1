/*
 * Local patterns of Clobber: the contents of the 8 squares around a stone. No stone ever enters an
 * empty square, so squares off the board count as empty, and a pattern is the same anywhere on any
 * board.
 *
 * The value of a position is the sum of the weights of its stones' patterns. In an all-small game
 * such as Clobber, the atomic weight mostly decides who wins a sum (Conway, "On Numbers and Games";
 * Siegel, "Combinatorial Game Theory"), and that is additive as well.
 */
#ifndef LUDUS_BOT_CLOBBER_PATTERN_H
#define LUDUS_BOT_CLOBBER_PATTERN_H

#include "common/game.h"

enum { PATTERNS = 6561 }; /* 8 squares, each empty (0), a friend (1) or an enemy (2) */

/* The patterns of all stones, each as its own side sees it. */
struct patterns {
    int count[2]; /* by enum color */
    uint16_t number[2][BOARD_SQUARES_MAX];
};

void patterns_of(const struct position *position, struct patterns *patterns);

/* The number of a pattern: its squares as ternary digits, the lowest digit first, rank by rank from
 * the lower left, without the middle. */
int pattern_number(const int squares[8]);

/* What a pattern is worth to the side of its stone, in hundredths of the natural logarithm of the
 * odds of winning: see clobber_weights.c. */
extern const int8_t pattern_weights[PATTERNS];

/* What it is worth to be to move. */
extern const int pattern_tempo;

#endif
