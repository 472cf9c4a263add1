/*
 * How a position of Shakti is laid out: for its rules, and for evaluations that look at the sets.
 *
 * Sets of squares have a1 in the lowest bit.
 */
#ifndef LUDUS_SHAKTI_BOARD_H
#define LUDUS_SHAKTI_BOARD_H

enum { WIDTH = 7, SQUARES = WIDTH * WIDTH };

/* bits[TILES], bits[KING + color], bits[WARRIORS + color], notes[PASSES]. */
enum { TILES = 0, KING = 1, WARRIORS = 3, WORDS = 5, PASSES = 0 };

enum { DIRECTIONS = 8 };

#define BOARD  (((uint64_t)1 << SQUARES) - 1)
#define FILE_A (BOARD / 127) /* one bit in each rank of seven */

#endif
