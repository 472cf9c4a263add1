/* The start menu of the full screen. */
#ifndef LUDUS_SCREEN_START_H
#define LUDUS_SCREEN_START_H

#include "client/screen/stage/stage.h"

/* Shows the menu once and runs the choice. Returns early when a match comes to the screen or the
 * program ends. */
void start_run(struct stage *stage);

/* Lets the player join an open match, or go to another server. */
void start_join(struct stage *stage);

#endif
