/*
 * Xadrersi: at a glance the points so far, in a search the odds of winning.
 */
#include "eval.h"
#include "xadrersi_traits.h"

enum { POINT = 100, HANDFUL = 10 };

/* So that a point is about POINT in the middle of a match. */
enum { ODDS_UNIT = 4 };

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

/* The odds of winning, fitted to matches that bots have played: see xadrersi_traits.h. */
int still_xadrersi(const struct position *position)
{
    int plies = __builtin_popcountll(position->bits[WHITE] | position->bits[BLACK]);
    int16_t traits[TRAITS];
    int odds = 0;

    if (plies == XADRERSI_PLIES) /* asked for as a hint at the last ply */
        return POINT * lead(position);
    const int16_t *weights = xadrersi_weights[position->variant][plies];
    xadrersi_traits(position, traits);
    for (int i = 0; i < TRAITS; i++)
        odds += weights[i] * traits[i];
    return odds / ODDS_UNIT;
}
