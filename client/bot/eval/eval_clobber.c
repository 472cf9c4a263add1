/* Clobber: local patterns (clobber_pattern.h), and near the end who wins. */
#include <stddef.h>

#include "clobber_pattern.h"
#include "eval.h"

__extension__ typedef unsigned __int128 set; /* of squares */

/* Tables that turn three squares of two bits each into ternary digits. No square is 3. */
#define DIGITS(low, middle, high) ((low) + 3 * (middle) + 9 * (high))
#define THREE_ROW(middle, high)                                                                    \
    DIGITS(0, middle, high), DIGITS(1, middle, high), DIGITS(2, middle, high), 0
#define THREE_BLOCK(high)                                                                          \
    THREE_ROW(0, high), THREE_ROW(1, high), THREE_ROW(2, high), THREE_ROW(0, 0)
#define SIDES_ROW(high)   0 + 3 * (high), 1 + 3 * (high), 2 + 3 * (high), 0
#define SIDES_BLOCK(high) SIDES_ROW(high), SIDES_ROW(high), SIDES_ROW(high), SIDES_ROW(0)

static const uint8_t three[64] = {THREE_BLOCK(0), THREE_BLOCK(1), THREE_BLOCK(2), THREE_BLOCK(0)};
static const uint8_t sides[64] = {SIDES_BLOCK(0), SIDES_BLOCK(1), SIDES_BLOCK(2), SIDES_BLOCK(0)};

/* Widens each of up to 10 squares from one bit to two. */
static uint32_t spread(uint32_t squares)
{
    squares = (squares | squares << 8) & 0x00ff00ffu;
    squares = (squares | squares << 4) & 0x0f0f0f0fu;
    squares = (squares | squares << 2) & 0x33333333u;
    return (squares | squares << 1) & 0x55555555u;
}

/* The ranks of a board as a side sees it, two bits a square. There is an empty rank before and
 * after the board, and an empty square before each rank. */
struct ranks {
    uint32_t rank[BOARD_SIDE_MAX + 2];
};

static int number_at(const struct ranks *ranks, int rank, int file)
{
    const uint32_t *middle = ranks->rank + rank + 1;

    return three[middle[-1] >> 2 * file & 63] + 27 * sides[middle[0] >> 2 * file & 63] +
           243 * three[middle[1] >> 2 * file & 63];
}

static void add_rank(struct patterns *patterns, int color, const struct ranks *ranks, int rank,
                     uint32_t stones)
{
    for (; stones != 0; stones &= stones - 1)
        patterns->number[color][patterns->count[color]++] =
            (uint16_t)number_at(ranks, rank, __builtin_ctz(stones));
}

void patterns_of(const struct position *position, struct patterns *patterns)
{
    set white = (set)position->bits[1] << 64 | position->bits[0];
    set black = (set)position->bits[3] << 64 | position->bits[2];
    int width = position->width, height = position->height;
    uint32_t full = (1u << width) - 1, stones[2][BOARD_SIDE_MAX];
    struct ranks ranks[2];

    patterns->count[WHITE] = patterns->count[BLACK] = 0;
    ranks[WHITE].rank[0] = ranks[BLACK].rank[0] = 0;
    ranks[WHITE].rank[height + 1] = ranks[BLACK].rank[height + 1] = 0;
    for (int rank = 0; rank < height; rank++, white >>= width, black >>= width) {
        stones[WHITE][rank] = (uint32_t)white & full;
        stones[BLACK][rank] = (uint32_t)black & full;
        uint32_t whites = spread(stones[WHITE][rank]), blacks = spread(stones[BLACK][rank]);
        ranks[WHITE].rank[rank + 1] = (whites | blacks << 1) << 2;
        ranks[BLACK].rank[rank + 1] = (blacks | whites << 1) << 2;
    }
    for (int rank = 0; rank < height; rank++)
        for (int color = WHITE; color <= BLACK; color++)
            add_rank(patterns, color, &ranks[color], rank, stones[color][rank]);
}

int pattern_number(const int squares[8])
{
    int number = 0;

    for (int i = 7; i >= 0; i--)
        number = 3 * number + squares[i];
    return number;
}

/* With so few pairs of neighbouring enemies left, the game is played out, unless that takes more
 * than so many positions. */
enum { PAIRS_PLAYED_OUT = 3, POSITIONS_MAX = 1000 };

enum { WON = 10000 };

int static_eval_clobber(const struct position *position)
{
    struct patterns patterns;
    int value[2] = {0, 0}, side = position->side;

    patterns_of(position, &patterns);
    for (int color = WHITE; color <= BLACK; color++)
        for (int i = 0; i < patterns.count[color]; i++)
            value[color] += pattern_weights[patterns.number[color][i]];
    return value[side] - value[!side] + pattern_tempo;
}

/* Whether the side to move wins with best play. Takes the positions it makes from *left. If that
 * runs out, the answer means nothing. */
static bool wins(const struct position *position, int *left)
{
    struct move moves[MOVES_MAX];
    int moves_count = clobber.legal(position, moves);

    for (int i = 0; i<moves_count && * left> 0; i++) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        --*left;
        if (!wins(&next, left))
            return true;
    }
    return false;
}

int eval_clobber(const struct position *position)
{
    int left = POSITIONS_MAX;

    if (clobber.legal(position, NULL) <= PAIRS_PLAYED_OUT) {
        bool won = wins(position, &left);
        if (left > 0)
            return won ? WON : -WON;
    }
    return static_eval_clobber(position);
}
