/*
 * How long to wait between tries to come back to a server, for the client, the bots and the
 * bridge. Knows no clock: the time comes in as now_ms of any monotonic one.
 *
 * The pauses begin at 100 ms and double up to 500 ms, so that a server that starts anew has its
 * players back within a second. One that stays away for two minutes is asked every 5 s.
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
    BACKOFF_LASTED_MS = 10000 /* a connection that held so long did not break for having begun */
};

struct backoff {
    int64_t lost_ms; /* when the connection was lost */
    int pause_ms;    /* the last pause; 0 before the first */
};

/* A connection that worked was lost, having held for held_ms. After one that held only shortly
 * the pauses go on from the last one, not from the first. */
void backoff_begin(struct backoff *backoff, int64_t now_ms, int64_t held_ms);

/* The pause before the next try, in milliseconds. */
int backoff_next_ms(struct backoff *backoff, int64_t now_ms);

#endif
