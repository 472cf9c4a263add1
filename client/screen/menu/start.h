/* The start menu of the full screen. */
#ifndef LUDUS_SCREEN_START_H
#define LUDUS_SCREEN_START_H

#include "client/screen/stage/stage.h"

/* Shows the menu once and does what is chosen. Comes back when that is done, a match has come to
 * the screen, or the program ends. */
void start_run(struct stage *stage);

/* Lets the person choose one of the open matches, and takes a seat in it; or go to another server.
 */
void start_join(struct stage *stage);

#endif
