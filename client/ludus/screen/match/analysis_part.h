/* The analysis board in full screen: moves of both sides from any position, their variations, and
 * on request what a bot thinks of a position. */
#ifndef LUDUS_ANALYSIS_PART_H
#define LUDUS_ANALYSIS_PART_H

#include "client/ludus/screen/stage/stage.h"
#include "common/pgn.h"

/* Analyses a match that has passed pgn_check(), from the position after that many moves, until the
 * player leaves, a match comes or the program ends. The stage keeps what was played there. */
void analysis_part_run(struct stage *stage, const struct pgn_match *match, int ply);

/* Analyses a position. */
void analysis_part_position(struct stage *stage, const struct game *game,
                            const struct position *position);

/* Lets the player choose a game to analyse, or go on with the last analysis. */
void analysis_part_choose(struct stage *stage);

#endif
