/*
 * Chooses the match that a bot thinks about next, and for how long, so that no clock runs out: a
 * thinker has one move at a time, and all clocks run.
 */
#ifndef LUDUS_BOT_SCHEDULE_H
#define LUDUS_BOT_SCHEDULE_H

#include "seat.h"

struct plan {
    const struct seat *seat; /* to think about next; NULL: none waits */
    struct limits limits;    /* until when */
};

/* Plans from now_ms on. The move that is due first comes first: its state is the oldest or its
 * clock the shortest. It gets as much time as leaves all others their share. The seat `thinking`
 * (or NULL), which the bot has thought about since begun_ms, stays first. */
struct plan plan_turns(const struct seats *seats, const struct seat *thinking, int64_t begun_ms,
                       int64_t now_ms);

#endif
