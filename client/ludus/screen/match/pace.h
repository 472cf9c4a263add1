/*
 * Plays moves back at the pace that the viewer sets: those of a match between bots, and those of a
 * record.
 */
#ifndef LUDUS_SCREEN_PACE_H
#define LUDUS_SCREEN_PACE_H

#include "client/ludus/screen/stage/stage.h"

struct pace {
    bool runs;
    int64_t due_ms; /* of the next move, by clock_ms(); 0: not set */
};

/* Takes the keys that pause and that change the pace, which is said; false for others. */
bool pace_take(struct pace *pace, struct stage *stage, enum action action);

/* Returns whether the next move, if there is `more`, is due now; the stage wakes for it. */
bool pace_is_due(struct pace *pace, struct stage *stage, bool more);

#endif
