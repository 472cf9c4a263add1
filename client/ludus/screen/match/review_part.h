/* The review of a match in full screen: a curve of who stood better, over the plies of the match,
 * and what would have been better. */
#ifndef LUDUS_SCREEN_REVIEW_PART_H
#define LUDUS_SCREEN_REVIEW_PART_H

#include "client/ludus/screen/stage/paint.h"
#include "client/ludus/screen/stage/stage.h"
#include "client/ludus/talk/match_review.h"
#include "common/pgn.h"

/* Reviews a match that has passed pgn_check(), and shows it until the player leaves. Escape first
 * stops the review, where it still thinks. False with a notice if the bot cannot be run. */
bool review_part_run(struct stage *stage, const struct pgn_match *match, int movetime_ms);

/* Gets a match that is over from the server, and reviews it; shows a refusal. Where the bot is
 * missing, the server reviews it. */
void review_part_match(struct stage *stage, const char *match);

/* Runs the command `review [MATCH]`; false for other lines. */
bool review_part_typed(struct stage *stage, const char *line);

#endif
