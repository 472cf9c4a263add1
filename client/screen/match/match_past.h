/* Looking at a running match as it was some moves ago, while it goes on. */
#ifndef LUDUS_SCREEN_MATCH_PAST_H
#define LUDUS_SCREEN_MATCH_PAST_H

#include "match_part.h"

/* Shows the match after that many moves; with all of them that is the present again. */
void match_past_show(struct match_part *part, int ply);

/* Goes by so many moves, back where negative. */
void match_past_step(struct match_part *part, int plies);

/* After a new state: moves that were taken back cannot be looked at. */
void match_past_follow(struct match_part *part);

/* What is on the board: the past, if that is shown, or the present. */
const struct scene *match_past_scene(const struct match_part *part);

#endif
