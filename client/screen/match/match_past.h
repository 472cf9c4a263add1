/* Looks back at a running match. */
#ifndef LUDUS_SCREEN_MATCH_PAST_H
#define LUDUS_SCREEN_MATCH_PAST_H

#include "match_part.h"

/* Shows the match after that many moves; after all of them it shows the present. */
void match_past_show(struct match_part *part, int ply);

/* Steps by that many moves; a negative number steps back. */
void match_past_step(struct match_part *part, int plies);

/* Call this after a new state: moves that were taken back are not shown. */
void match_past_follow(struct match_part *part);

/* The scene on the board: the past if that is shown, else the present. */
const struct scene *match_past_scene(const struct match_part *part);

#endif
