/* Paints a match. */
#ifndef LUDUS_SCREEN_MATCH_PAINT_H
#define LUDUS_SCREEN_MATCH_PAINT_H

#include "match_part.h"

/* The painter of a match; context is the struct match_part. It also notes where the board is. */
void match_paint(struct stage *stage, void *context);

#endif
