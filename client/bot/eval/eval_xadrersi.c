/* Xadrersi: the points so far at a glance, the odds of winning in a search. */
#include "eval.h"
#include "xadrersi_traits.h"

enum { POINT = 100, HANDFUL = 10 };

/* Makes a point worth about POINT in the middle of a match. */
enum { ODDS_UNIT = 4 };

static int lead(const struct position *position)
{
    int points[2];

    xadrersi.score(position, points);
    return points[position->side] - points[!position->side];
}

/* Counts points by the handful. */
int eval_xadrersi(const struct position *position)
{
    return lead(position) / HANDFUL * HANDFUL * POINT;
}

/* The odds of winning, fitted to matches between bots: see xadrersi_traits.h. */
int static_eval_xadrersi(const struct position *position)
{
    int plies = __builtin_popcountll(position->bits[WHITE] | position->bits[BLACK]);
    int16_t traits[TRAITS];
    int odds = 0;

    if (plies == XADRERSI_PLIES) /* a hint at the last ply asks for this */
        return POINT * lead(position);
    const int16_t *weights = xadrersi_weights[position->variant][plies];
    xadrersi_traits(position, traits);
    for (int i = 0; i < TRAITS; i++)
        odds += weights[i] * traits[i];
    return odds / ODDS_UNIT;
}
