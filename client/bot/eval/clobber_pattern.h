/*
 * Local patterns of Clobber: what stands on the 8 squares around each stone. An empty square can
 * never be entered again, so the border of the board is just more of them, and a pattern is the
 * same on every board and everywhere on it.
 *
 * The value of a position is the sum of the weights of the patterns of its stones. In an all-small
 * game such as Clobber, who wins a sum is mostly a matter of its atomic weight (Conway, "On Numbers
 * and Games"; Siegel, "Combinatorial Game Theory"), and that is additive as well.
 */
#ifndef LUDUS_BOT_CLOBBER_PATTERN_H
#define LUDUS_BOT_CLOBBER_PATTERN_H

#include "common/game.h"

enum { PATTERNS = 6561 }; /* 8 squares that are empty, a friend's, or an enemy's: 0, 1, 2 */

/* The patterns of all stones, as their own side sees them. */
struct patterns {
    int count[2]; /* by enum color */
    uint16_t number[2][BOARD_SQUARES_MAX];
};

void patterns_of(const struct position *position, struct patterns *patterns);

/* The number of a pattern: the squares in ternary, the lowest digit first, rank by rank from the
 * lower left one on, without the middle. */
int pattern_number(const int squares[8]);

/* What a pattern is worth to the side of its stone, in hundredths of the logarithm of the odds of
 * winning; the table is in clobber_weights.c. */
extern const int8_t pattern_weights[PATTERNS];

/* The same for being to move. */
extern const int pattern_tempo;

#endif
