#include "clobber_guess.h"

#include "client/bot/eval/clobber_pattern.h"

/* The bits of a byte read as ternary digits, by halves. */
#define TERNARY(bits)                                                                              \
    (((bits)&1) + 3 * ((bits) >> 1 & 1) + 9 * ((bits) >> 2 & 1) + 27 * ((bits) >> 3 & 1))
#define TERNARY_ROW(bits)                                                                          \
    TERNARY(bits), TERNARY((bits) + 1), TERNARY((bits) + 2), TERNARY((bits) + 3)

static const uint8_t ternary[16] = {TERNARY_ROW(0), TERNARY_ROW(4), TERNARY_ROW(8),
                                    TERNARY_ROW(12)};

/* The squares around a stone as the bits of a byte, in the order of pattern_number(). */
static unsigned ring(uint64_t set, int square, int stride)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t near = (uint64_t)((wide)set << (stride + 1) >> square);
    int file = square % stride;
    unsigned bits = (unsigned)((near & 7) | (near >> stride & 1) << 3 |
                               (near >> (stride + 2) & 1) << 4 | (near >> 2 * stride & 7) << 5);

    if (file == 0)
        bits &= ~0x29u; /* what shows there is the last file of other ranks */
    if (file == stride - 1)
        bits &= ~0x94u;
    return bits;
}

static int pattern_of(unsigned friends, unsigned enemies)
{
    return ternary[friends & 15] + 81 * ternary[friends >> 4] +
           2 * (ternary[enemies & 15] + 81 * ternary[enemies >> 4]);
}

static int guess_stones(const struct group *group, int stride, int color)
{
    int guess = 0;

    for (uint64_t left = group->stones[color]; left != 0; left &= left - 1) {
        int square = __builtin_ctzll(left);
        guess += pattern_weights[pattern_of(ring(group->stones[color], square, stride),
                                            ring(group->stones[!color], square, stride))];
    }
    return guess;
}

int guess_group(const struct group *group, int stride, int color)
{
    return guess_stones(group, stride, color) - guess_stones(group, stride, !color);
}
