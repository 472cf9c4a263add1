/* Storms of puzzles in full screen. */
#ifndef LUDUS_SCREEN_STORM_PART_H
#define LUDUS_SCREEN_STORM_PART_H

#include "client/ludus/screen/stage/stage.h"

/* Runs storms (common/puzzle.h) of a game that has puzzles, until the player goes back. */
void storm_part_run(struct stage *stage, const struct game *game);

#endif
