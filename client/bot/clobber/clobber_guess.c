#include "clobber_guess.h"

#include <stdlib.h>

#include "client/bot/eval/clobber_pattern.h"
#include "common/xmalloc.h"

enum { RING = 8 };

struct guesser {
    guess_units weights[GUESS_CLASSES][2];
    guess_units rest[GUESS_RESTS];
    uint16_t class_of[PATTERNS];
    uint16_t ternary[1 << RING]; /* the bits of a byte read as ternary digits */
};

/* A pattern turned by 90 degrees, or mirrored: square i goes to to[i]. */
static int image(int pattern, const int to[RING])
{
    int squares[RING];

    for (int i = 0; i < RING; i++, pattern /= 3)
        squares[to[i]] = pattern % 3;
    return pattern_number(squares);
}

/* Numbers the classes in the order of their first patterns. */
static void set_classes(struct guesser *guesser)
{
    static const int turned[RING] = {2, 4, 7, 1, 6, 0, 3, 5},
                     mirrored[RING] = {2, 1, 0, 4, 3, 7, 6, 5};
    int classes = 0;
    bool seen[PATTERNS] = {false};

    for (int i = 0; i < PATTERNS; i++) {
        int pattern = i;
        if (seen[i])
            continue;
        for (int j = 0; j < 8; j++) {
            pattern = j == 4 ? image(pattern, mirrored) : image(pattern, turned);
            seen[pattern] = true;
            guesser->class_of[pattern] = (uint16_t)classes;
        }
        classes++;
    }
}

static void set_ternary(struct guesser *guesser)
{
    for (int bits = 0; bits < 1 << RING; bits++)
        for (int i = 0, digit = 1; i < RING; i++, digit *= 3)
            guesser->ternary[bits] += (uint16_t)((bits >> i & 1) * digit);
}

struct guesser *guesser_new(void)
{
    struct guesser *guesser = xcalloc(1, sizeof *guesser);

    set_classes(guesser);
    set_ternary(guesser);
    for (int unit = 0; unit < GUESS_UNITS; unit++) {
        for (int i = 0; i < GUESS_CLASSES; i++)
            for (int side = 0; side < 2; side++)
                guesser->weights[i][side][unit] = guess_class_weights[i][side][unit];
        for (int i = 0; i < GUESS_RESTS; i++)
            guesser->rest[i][unit] = guess_rest_weights[i][unit];
    }
    return guesser;
}

/* The squares around a stone as the bits of a byte, in the order of pattern_number(). */
static inline unsigned ring(uint64_t set, int square, int stride)
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

static inline int class_of(const struct guesser *guesser, const struct group *group, int stride,
                           int color, int square)
{
    return guesser->class_of[guesser->ternary[ring(group->stones[color], square, stride)] +
                             2 * guesser->ternary[ring(group->stones[!color], square, stride)]];
}

int guess_classes(const struct guesser *guesser, const struct group *group, int stride, int color,
                  uint16_t *classes)
{
    int count = 0;

    for (uint64_t left = group->stones[color]; left != 0; left &= left - 1)
        classes[count++] = (uint16_t)class_of(guesser, group, stride, color, __builtin_ctzll(left));
    return count;
}

static inline void add_stones(struct guess *guess, const struct guesser *guesser,
                              const struct group *group, int stride, int color)
{
    for (int side = 0; side < 2; side++)
        for (uint64_t left = group->stones[color ^ side]; left != 0; left &= left - 1)
            guess->units += guesser->weights[class_of(guesser, group, stride, color ^ side,
                                                      __builtin_ctzll(left))][side];
}

void guess_start(struct guess *guess, const struct guesser *guesser, enum guess_rest rest)
{
    guess->units = guesser->rest[rest];
}

void guess_add(struct guess *guess, const struct guesser *guesser, const struct group *group,
               int stride, int color)
{
    if (stride == 8) /* as a constant it saves divisions */
        add_stones(guess, guesser, group, 8, color);
    else
        add_stones(guess, guesser, group, stride, color);
}

static int result_of(const struct guess *guess, enum guess_result result)
{
    const int *weights = guess_result_weights[result];
    int sum = weights[GUESS_UNITS];

    for (int i = 0; i < GUESS_UNITS; i++)
        sum += weights[i] * (i < GUESS_LINEAR || guess->units[i] > 0 ? guess->units[i] : 0);
    return sum / (GUESS_UNIT * GUESS_RESULT / 100);
}

/* The negative logarithm of the chance that the side to move loses, roughly: `win` is that of its
 * odds. */
static int risk(int win)
{
    enum { SURE = 200 };

    if (win <= -SURE)
        return 0;
    return win >= SURE ? win : (win + SURE) * (win + SURE) / (4 * SURE);
}

int guess_effort(const struct guess *guess)
{
    int nodes = result_of(guess, GUESS_NODES);

    return risk(result_of(guess, GUESS_WIN)) + (nodes > 0 ? nodes : 0);
}
