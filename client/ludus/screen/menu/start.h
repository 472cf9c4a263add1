/* The start menu of the full screen, and its lists that one can act on: players to challenge,
 * matches to join, to watch or to step through, servers to go to. */
#ifndef LUDUS_SCREEN_START_H
#define LUDUS_SCREEN_START_H

#include "client/link/match_state.h"
#include "client/ludus/screen/stage/dialog.h"
#include "client/ludus/screen/stage/stage.h"
#include "television.h"

/* Shows the menu once and runs the choice. Returns early when a match comes to the screen or the
 * program ends. */
void start_run(struct stage *stage, struct television *television);

/* Lets the player join an open match, or go to another server. */
void start_join(struct stage *stage);

#endif
