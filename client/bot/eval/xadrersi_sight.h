/*
 * What one piece of Xadrersi attacks, without loops, for the leaves of a search.
 * common/games/xadrersi.c computes it more plainly; tests/test_xadrersi_traits.c compares the two.
 *
 * Lines use obstruction difference (Michael Hoffmann;
 * https://www.chessprogramming.org/Obstruction_Difference): subtracting the nearest piece below
 * from the nearest one above leaves ones on the squares between.
 */
#ifndef LUDUS_BOT_XADRERSI_SIGHT_H
#define LUDUS_BOT_XADRERSI_SIGHT_H

#include <stdint.h>

/* How positions of Xadrersi are laid out: see common/games/xadrersi.c. */
enum { TOUCH }; /* the first variant */
enum { KING, QUEEN, ROOK, BISHOP, KNIGHT, KINDS };
enum { KIND_WORD = 2, LAST_NOTE = 0 };

enum { SIGHT_RANK, SIGHT_FILE, SIGHT_RISING, SIGHT_FALLING, SIGHT_LINES };

#define SIGHT_FILE_A UINT64_C(0x0101010101010101)
#define SIGHT_FILE_H UINT64_C(0x8080808080808080)

/* Shifts the long diagonal up by so many ranks, or down. */
static inline uint64_t sight_moved(uint64_t diagonal, int ranks)
{
    return ranks >= 0 ? diagonal << 8 * ranks : diagonal >> -8 * ranks;
}

/* The squares of the line through a square, itself included. */
static inline uint64_t sight_line(int square, int line)
{
    int file = square & 7, rank = square >> 3;

    if (line == SIGHT_RANK)
        return UINT64_C(0xff) << 8 * rank;
    if (line == SIGHT_FILE)
        return SIGHT_FILE_A << file;
    if (line == SIGHT_RISING)
        return sight_moved(UINT64_C(0x8040201008040201), rank - file);
    return sight_moved(UINT64_C(0x0102040810204080), rank + file - 7);
}

/* What a slider attacks along one of its lines, in both directions. */
static inline uint64_t sight_along(int square, int line, uint64_t occupied)
{
    uint64_t own = UINT64_C(1) << square, all = sight_line(square, line) & ~own;
    uint64_t below = all & occupied & (own - 1), above = all & occupied & ~(own - 1);
    uint64_t nearest_below = UINT64_C(1) << (63 - __builtin_clzll(below | 1));

    return all & (2 * (above & -above) - nearest_below);
}

/* The squares next to a square of the set, some of which may lie in the set. */
static inline uint64_t sight_adjacent(uint64_t set)
{
    uint64_t row = (set << 1 & ~SIGHT_FILE_A) | (set >> 1 & ~SIGHT_FILE_H), rows = set | row;

    return row | rows << 8 | rows >> 8;
}

/* The squares a knight's move away from a square of the set. */
static inline uint64_t sight_jumps(uint64_t set)
{
    uint64_t east = set << 1 & ~SIGHT_FILE_A, west = set >> 1 & ~SIGHT_FILE_H;
    uint64_t east2 = east << 1 & ~SIGHT_FILE_A, west2 = west >> 1 & ~SIGHT_FILE_H;
    uint64_t one = east | west, two = east2 | west2;

    return one << 16 | one >> 16 | two << 8 | two >> 8;
}

#endif
