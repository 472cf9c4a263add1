/*
 * Clobber: the stones that can still move; near the end, who wins. Positions keep a bit a square
 * as common/games/clobber.c says: white in bits[0..1], black in bits[2..3].
 */
#include <stddef.h>

#include "eval.h"

__extension__ typedef unsigned __int128 set; /* of squares */

/* From so few pairs of neighbouring enemies on, the rest of the game is counted out, unless that
 * takes more than so many positions. */
enum { PAIRS_COUNTED_OUT = 3, POSITIONS_COUNTED_OUT = 1000 };

enum { MOVABLE = 100, PAIR = 1, WON = 10000 };

static set stones(const struct position *p, int color)
{
    int word = color == WHITE ? 0 : 2;

    return (set)p->bits[word + 1] << 64 | p->bits[word];
}

static int count(set s)
{
    return __builtin_popcountll((uint64_t)s) + __builtin_popcountll((uint64_t)(s >> 64));
}

/* The squares next to one of the set, among them some off the board beyond the last rank. */
static set beside(set s, int width)
{
    set file_a = 0;

    for (int square = 0; square < BOARD_SQUARES_MAX; square += width)
        file_a |= (set)1 << square;
    return (s << 1 & ~file_a) | (s & ~file_a) >> 1 | s << width | s >> width;
}

/* The more pairs are left, the better for the side to move: the other hurries to the end, which
 * it will see earlier. */
int still_clobber(const struct position *position)
{
    set own = stones(position, position->side), enemy = stones(position, !position->side);
    int movable =
        count(own & beside(enemy, position->width)) - count(enemy & beside(own, position->width));

    return MOVABLE * movable + PAIR * clobber.legal(position, NULL);
}

/* Whether the side to move wins with best play. Takes what it looks at from *left; when that
 * is used up, the answer means nothing. */
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
    int left = POSITIONS_COUNTED_OUT;

    if (clobber.legal(position, NULL) <= PAIRS_COUNTED_OUT) {
        bool won = wins(position, &left);
        if (left > 0)
            return won ? WON : -WON;
    }
    return still_clobber(position);
}
