/*
 * Which of the matches that wait for a bot's move comes first, and for how long it may be thought
 * about, so that every clock is kept: a thinker has one move at a time, and all clocks run.
 */
#ifndef LUDUS_BOT_SCHEDULE_H
#define LUDUS_BOT_SCHEDULE_H

#include "seat.h"

struct plan {
    const struct seat *seat; /* whose turn it is to be thought about; NULL: nobody waits */
    struct limits limits;    /* until when */
};

/* The plan for now. The move that is due first comes first: one whose state came longest ago or
 * whose clock is shortest. It gets as much time as leaves all others their share. `thinking` (or
 * NULL) is a seat that has been thought about since begun_ms: it stays first. */
struct plan plan_turns(const struct seats *seats, const struct seat *thinking, int64_t begun_ms,
                       int64_t now_ms);

#endif
