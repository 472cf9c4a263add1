/*
 * Xadrersi: the points so far, and what the pieces in hand will bring. Positions keep their sets as
 * common/games/xadrersi.c says: each colour's pieces, then the kinds of both.
 */
#include "eval.h"

enum { KIND_WORD = 2, KINDS = 5, POINT = 100, HANDFUL = 10 };

/* What a king, queen, rook, bishop and knight in hand are worth, by variant: four fifths of about
 * what they attack in the end. Without this a search takes its queen for a gift of the one ply it
 * comes early. */
static const int in_hand_worth[2][KINDS] = {{320, 960, 640, 480, 320}, {480, 1440, 880, 640, 480}};
static const int pieces_of_kind[KINDS] = {1, 1, 2, 2, 2};

static int lead(const struct position *position)
{
    int points[2];

    xadrersi.score(position, points);
    return points[position->side] - points[!position->side];
}

/* At a glance: points are counted by the handful. */
int eval_xadrersi(const struct position *position)
{
    return lead(position) / HANDFUL * HANDFUL * POINT;
}

static int in_hand(const struct position *p, int color)
{
    int worth = 0;

    for (int kind = 0; kind < KINDS; kind++) {
        int placed = __builtin_popcountll(p->bits[color] & p->bits[KIND_WORD + kind]);
        worth += in_hand_worth[p->variant][kind] * (pieces_of_kind[kind] - placed);
    }
    return worth;
}

int still_xadrersi(const struct position *position)
{
    int enemy = !position->side;

    return POINT * lead(position) + in_hand(position, position->side) - in_hand(position, enemy);
}
