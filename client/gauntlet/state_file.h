/*
 * The state file of a gauntlet, with which it continues after an interruption. The first two lines
 * are the type of the file and plan_settings(). Each further line is a finished match:
 *
 *     NUMBER DATE RESULT ENDING REASON MOVE... [; NOTE]
 *
 * DATE is in seconds since 1970, and REASON may be `-`. A last line without an end is the rest of
 * an interrupted write, and is dropped.
 */
#ifndef LUDUS_GAUNTLET_STATE_FILE_H
#define LUDUS_GAUNTLET_STATE_FILE_H

#include <stdio.h>

#include "plan.h"
#include "result.h"

struct state {
    FILE *file; /* owned; NULL: nothing is kept */
    const char *path;
};

/* Opens or creates the file, locks it, and hands each result in it to take(), which owns it.
 * Returns false with the cause if the file cannot be opened, is in use, belongs to another
 * gauntlet, or is broken. */
bool state_open(struct state *state, const char *path, const struct plan *plan,
                void (*take)(void *context, struct result_of_match *result), void *context,
                struct cause *cause);

/* Appends a result. Returns false with the cause if that fails. */
bool state_add(struct state *state, const struct result_of_match *result, struct cause *cause);

void state_close(struct state *state);

#endif
