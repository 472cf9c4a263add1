/*
 * What a gauntlet has played, in a file, so that it can go on after an interruption. The first
 * two lines say what kind of file it is and what is being played (plan_settings()); each other
 * one is a match that was played to its end:
 *
 *     NUMBER DATE RESULT ENDING REASON MOVE... [; NOTE]
 *
 * DATE in seconds since 1970, REASON `-` where there is none. A last line without an end was
 * being written when the power went: it is dropped.
 */
#ifndef LUDUS_GAUNTLET_STATE_FILE_H
#define LUDUS_GAUNTLET_STATE_FILE_H

#include <stdio.h>

#include "result.h"
#include "setup.h"

struct state {
    FILE *file; /* owned; NULL: none is kept */
    const char *path;
};

/* Opens the file, or begins it, and locks it against others. take() gets each result that is in
 * it, and owns it. False with the cause: no such file, in use, of another gauntlet, or broken. */
bool state_open(struct state *state, const char *path, const struct plan *plan,
                void (*take)(void *context, struct result_of_match *result), void *context,
                struct cause *cause);

/* Adds a match that is over. False with the cause when it cannot be written. */
bool state_add(struct state *state, const struct result_of_match *result, struct cause *cause);

void state_close(struct state *state);

#endif
