/* A curve of who stood better, over the plies of a match: blocks, or letters without Unicode. */
#ifndef LUDUS_SCREEN_CURVE_H
#define LUDUS_SCREEN_CURVE_H

#include "client/model/reviewer.h"
#include "client/screen/stage/paint.h"
#include "client/screen/stage/theme.h"

struct curve {
    struct area area; /* the curve, and below it a row for marks and the cursor */
    const struct reviewed *plies;
    int count; /* of plies, the end of the match included */
    int shown; /* the ply of the cursor */
};

/* Paints the curve: the higher, the better for white. */
void curve_paint(const struct curve *curve, const struct theme *theme);

/* The ply at a place on the screen, or -1. */
int curve_ply(const struct curve *curve, int y, int x);

#endif
