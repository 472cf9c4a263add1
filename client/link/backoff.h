/*
 * Pauses between attempts to reconnect. The caller passes the time, now_ms of any monotonic clock.
 *
 * The pauses begin at 100 ms and double up to 500 ms, so that a restarted server has its players
 * back within a second. After two minutes an attempt is made every 5 s.
 */
#ifndef LUDUS_BACKOFF_H
#define LUDUS_BACKOFF_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BACKOFF_FIRST_MS = 100,
    BACKOFF_SHORT_MS = 500,
    BACKOFF_SHORT_FOR_MS = 120000,
    BACKOFF_LONG_MS = 5000,
    BACKOFF_LASTED_MS = 10000 /* a connection that lasted so long resets the pauses */
};

struct backoff {
    int64_t lost_ms; /* when the connection was lost */
    int pause_ms;    /* the last pause; 0 before the first */
};

/* Notes that a working connection was lost after held_ms. If it lasted only shortly, the pauses
 * continue from the last one instead of the first. */
void backoff_begin(struct backoff *backoff, int64_t now_ms, int64_t held_ms);

/* Returns the pause before the next attempt, in milliseconds. */
int backoff_next_ms(struct backoff *backoff, int64_t now_ms);

#endif
