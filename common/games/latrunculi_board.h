/*
 * The board of Latrunculi XXI, for its rules and for the bots' evaluation.
 *
 * A position has sets of squares, a1 in the lowest bit: the soldiers of white and black in
 * bits[0..1], their duces in bits[2..3]. notes[0] counts the plies since the last capture.
 */
#ifndef LUDUS_LATRUNCULI_BOARD_H
#define LUDUS_LATRUNCULI_BOARD_H

#include "../game.h"

enum { WIDTH = 8, PLIES_MAX = 100 };

/* The layout of a position: bits[SOLDIERS + color], bits[DUCES + color], notes[PLIES]. */
enum { SOLDIERS = 0, DUCES = 2, PLIES = 0 };

/* Numbered so that d ^ 1 is opposite to d, and d ^ 2 and d ^ 3 are at right angles. */
enum direction { EAST, WEST, NORTH, SOUTH, DIRECTIONS };

#define FILE_A  UINT64_C(0x0101010101010101)
#define FILE_H  (FILE_A << 7)
#define RANK_1  UINT64_C(0xff)
#define RANK_8  (RANK_1 << 56)
#define RIM     (FILE_A | FILE_H | RANK_1 | RANK_8)
#define CORNERS ((FILE_A | FILE_H) & (RANK_1 | RANK_8))

/* A step rotates the set and keeps the squares that did not wrap around. */
static const int steps[DIRECTIONS] = {1, -1, WIDTH, -WIDTH};
static const uint64_t onto[DIRECTIONS] = {~FILE_A, ~FILE_H, ~RANK_1, ~RANK_8};

static inline uint64_t rotate(uint64_t set, int by)
{
    return set << (by & 63) | set >> (-by & 63);
}

static inline uint64_t step(uint64_t set, int d)
{
    return rotate(set, steps[d]) & onto[d];
}

static inline uint64_t neighbours(uint64_t set)
{
    return step(set, EAST) | step(set, WEST) | step(set, NORTH) | step(set, SOUTH);
}

/* The squares of `through` that can be reached from `set` in direction d over squares of `through`
 * only, including those of `set` that lie in it. Each round doubles the reach, up to the seven
 * squares that the board allows. */
static inline uint64_t slide(uint64_t set, int d, uint64_t through)
{
    uint64_t pass = through & onto[d];

    for (int squares = 1; squares < WIDTH; squares *= 2) {
        set |= pass & rotate(set, steps[d] * squares);
        pass &= rotate(pass, steps[d] * squares);
    }
    return set & through;
}

#endif
