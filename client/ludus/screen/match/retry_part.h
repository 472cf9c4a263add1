/* A mistake of a reviewed match, tried again: the player looks for a better move before any is
 * shown. */
#ifndef LUDUS_SCREEN_RETRY_PART_H
#define LUDUS_SCREEN_RETRY_PART_H

#include "client/ludus/screen/stage/stage.h"
#include "client/ludus/talk/match_review.h"
#include "common/pgn.h"

/* Asks for a better move than the one played at a ply that a review has marked, until the player
 * leaves. A move counts that the review found, or in which a review of its own finds no mistake. */
void retry_part_run(struct stage *stage, const struct pgn_match *match,
                    const struct reviewed *plies, int ply);

#endif
