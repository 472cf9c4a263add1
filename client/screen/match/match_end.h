/* The end of a match: a box of what can be done then, by its keys, by arrows and Enter, or by a
 * click. */
#ifndef LUDUS_SCREEN_MATCH_END_H
#define LUDUS_SCREEN_MATCH_END_H

#include "match_part.h"

enum { END_BOX_ROWS = 6 };

/* Whether the box is to be shown: the match is over and nothing is being typed. */
bool match_end_is_shown(const struct match_part *part);

/* Paints the box at the bottom of an area, or as a row in an area of height 1. */
void match_end_paint(struct match_part *part, const struct area *area);

/* Takes a press that moves in the box, or one that chooses; the action chosen is in *chosen, or
 * ACTION_NONE. False for other presses. */
bool match_end_take(struct match_part *part, struct press press, enum action *chosen);

#endif
