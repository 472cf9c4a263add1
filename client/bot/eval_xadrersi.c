/* Xadrersi: the points so far. */
#include "eval.h"

int eval_xadrersi(const struct position *position)
{
    int points[2];

    xadrersi.score(position, points);
    return 100 * (points[position->side] - points[!position->side]);
}

int still_xadrersi(const struct position *position)
{
    return eval_xadrersi(position);
}
