#include "clobber_guess.h"

#include <stdlib.h>

#include "client/games/clobber_pattern.h"
#include "common/xmalloc.h"

/* The squares around a stone are the bits 0 to 8 of a word, rank by rank; bit 4, the stone's own,
 * is 0. */
enum { RING_SQUARES = 8, RING_BITS = 9, RING_FIRST_FILE = 0x49, RING_LAST_FILE = 0x124 };

struct guesser {
    guess_units weights[GUESS_CLASSES][2];
    guess_units rest[GUESS_RESTS];
    guess_units result[GUESS_RESULTS];
    guess_units linear; /* -1 in the units that are linear */
    uint16_t class_of[PATTERNS];
    uint16_t ternary[1 << RING_BITS]; /* the bits of a ring read as ternary digits */
};

/* A pattern turned by 90 degrees, or mirrored: square i goes to to[i]. */
static int image(int pattern, const int to[RING_SQUARES])
{
    int squares[RING_SQUARES];

    for (int i = 0; i < RING_SQUARES; i++, pattern /= 3)
        squares[to[i]] = pattern % 3;
    return pattern_number(squares);
}

/* Numbers the classes in the order of their first patterns. */
static void set_classes(struct guesser *guesser)
{
    static const int turned[RING_SQUARES] = {2, 4, 7, 1, 6, 0, 3, 5},
                     mirrored[RING_SQUARES] = {2, 1, 0, 4, 3, 7, 6, 5};
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
    for (int bits = 0; bits < 1 << RING_BITS; bits++)
        for (int i = 0, digit = 1; i < RING_BITS; i++)
            if (i != RING_BITS / 2) {
                guesser->ternary[bits] += (uint16_t)((bits >> i & 1) * digit);
                digit *= 3;
            }
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
        for (int i = 0; i < GUESS_RESULTS; i++)
            guesser->result[i][unit] = (int16_t)guess_result_weights[i][unit];
        guesser->linear[unit] = unit < GUESS_LINEAR ? -1 : 0;
    }
    return guesser;
}

/* The squares of a set around a stone. */
static inline unsigned ring(uint64_t set, int square, int stride)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t near = (uint64_t)((wide)set << (stride + 1) >> square);
    int file = square % stride;
    unsigned bits = (unsigned)((near & 7) | (near >> stride & 1) << 3 |
                               (near >> (stride + 2) & 1) << 5 | (near >> 2 * stride & 7) << 6);

    if (file == 0)
        bits &= ~(unsigned)RING_FIRST_FILE; /* what shows there is the last file of other ranks */
    if (file == stride - 1)
        bits &= ~(unsigned)RING_LAST_FILE;
    return bits;
}

/* The ring in a group that leaves the last file and rank of its word empty: what lies beyond an
 * edge is empty even if the word is rotated. */
static inline unsigned ring_inside(uint64_t set, int square, int stride)
{
    int by = (square - stride - 1) & 63;
    uint64_t near = set >> by | set << (-by & 63);

    return (unsigned)((near & 7) | (near >> (stride - 3) & 0x28) |
                      (near >> (2 * stride - 6) & 0x1c0));
}

static inline int class_of(const struct guesser *guesser, const struct group *group, int stride,
                           int color, int square)
{
    return guesser->class_of[guesser->ternary[ring(group->stones[color], square, stride)] +
                             2 * guesser->ternary[ring(group->stones[!color], square, stride)]];
}

static inline int class_inside(const struct guesser *guesser, const struct group *group, int stride,
                               int color, int square)
{
    unsigned own = ring_inside(group->stones[color], square, stride);
    unsigned other = ring_inside(group->stones[!color], square, stride);

    return guesser->class_of[guesser->ternary[own] + 2 * guesser->ternary[other]];
}

int guess_classes(const struct guesser *guesser, const struct group *group, int stride, int color,
                  uint16_t *classes)
{
    int count = 0;

    for (uint64_t left = group->stones[color]; left != 0; left &= left - 1)
        classes[count++] = (uint16_t)class_of(guesser, group, stride, color, __builtin_ctzll(left));
    return count;
}

static void add_stones(struct guess *guess, const struct guesser *guesser,
                       const struct group *group, int stride, int color)
{
    for (int side = 0; side < 2; side++)
        for (uint64_t left = group->stones[color ^ side]; left != 0; left &= left - 1)
            guess->units += guesser->weights[class_of(guesser, group, stride, color ^ side,
                                                      __builtin_ctzll(left))][side];
}

static inline void add_stones_inside(struct guess *guess, const struct guesser *guesser,
                                     const struct group *group, int stride, int color)
{
    guess_units units = guess->units;

    for (int side = 0; side < 2; side++)
        for (uint64_t left = group->stones[color ^ side]; left != 0; left &= left - 1)
            units += guesser->weights[class_inside(guesser, group, stride, color ^ side,
                                                   __builtin_ctzll(left))][side];
    guess->units = units;
}

void guess_start(struct guess *guess, const struct guesser *guesser, enum guess_rest rest)
{
    guess->units = guesser->rest[rest];
}

void guess_add(struct guess *guess, const struct guesser *guesser, const struct group *group,
               const struct layout *layout, int color)
{
    uint64_t all = group->stones[0] | group->stones[1];

    if ((all & layout->rim) != 0)
        add_stones(guess, guesser, group, layout->stride, color);
    else if (layout->stride == 8)
        add_stones_inside(guess, guesser, group, 8, color); /* with constant shifts */
    else
        add_stones_inside(guess, guesser, group, layout->stride, color);
}

static int result_of(const struct guess *guess, const struct guesser *guesser,
                     enum guess_result result)
{
    int sum = guess_result_weights[result][GUESS_UNITS];

    for (int i = 0; i < GUESS_UNITS; i++)
        sum += guess->units[i] * guesser->result[result][i];
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

static struct guess rectified(const struct guess *guess, const struct guesser *guesser)
{
    return (struct guess){guess->units & ((guess->units > 0) | guesser->linear)};
}

int guess_odds(const struct guess *guess, const struct guesser *guesser)
{
    struct guess positive = rectified(guess, guesser);

    return result_of(&positive, guesser, GUESS_WIN);
}

int guess_effort(const struct guess *guess, const struct guesser *guesser)
{
    struct guess positive = rectified(guess, guesser);
    int nodes = result_of(&positive, guesser, GUESS_NODES);

    return risk(result_of(&positive, guesser, GUESS_WIN)) + (nodes > 0 ? nodes : 0);
}
