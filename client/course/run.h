/*
 * `ludus course run`: plays the nights of a course that have not been played yet. What was played
 * stands in the store of the server and in DIR/results, whose files are written as wholes or by
 * whole lines, so that another run goes on after any end.
 */
#ifndef LUDUS_COURSE_RUN_H
#define LUDUS_COURSE_RUN_H

#include <stdbool.h>

#include "common/text.h"

/* Plays until all nights are over, and says what happens on standard output. False with the cause:
 * something fails, or a signal has ended it. */
bool course_run(const char *dir, struct cause *cause);

#endif
