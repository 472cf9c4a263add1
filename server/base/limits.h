/*
 * Limits on what clients may use, which change on SIGHUP; limits_table.h says what each means. And
 * the token bucket by which a rate is limited: it allows a rate, and a burst after a pause.
 */
#ifndef LUDUS_LIMITS_H
#define LUDUS_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct limits {
#define LIMIT(member, ...)      int member;
#define LIMIT_FLAG(member, ...) bool member;
#include "limits_table.h"
#undef LIMIT
#undef LIMIT_FLAG
};

/* A bucket counts in the microseconds that what was taken needs to grow back, so that it is one
 * number (the GCRA of ITU-T I.371), and its rate may change at any time. */
struct bucket {
    int64_t full_us; /* when it will be full again; 0: a new one */
};

/* Returns the milliseconds, rounded up, until `cost_us` may be taken; 0: now. A full bucket holds
 * `burst_us`; a larger cost may be taken from a full bucket only. */
static inline int64_t bucket_wait_ms(const struct bucket *bucket, int64_t now_ms, int64_t cost_us,
                                     int64_t burst_us)
{
    int64_t missing_us = bucket->full_us - now_ms * 1000;
    int64_t most_us = cost_us < burst_us ? burst_us - cost_us : 0;

    return missing_us > most_us ? (missing_us - most_us + 999) / 1000 : 0;
}

/* Takes `cost_us`, even if the bucket holds less; then it is full again in twice `burst_us` at the
 * latest, or after that cost if it is larger. */
static inline void bucket_take(struct bucket *bucket, int64_t now_ms, int64_t cost_us,
                               int64_t burst_us)
{
    int64_t now_us = now_ms * 1000;
    int64_t most_us = now_us + (cost_us > 2 * burst_us ? cost_us : 2 * burst_us);

    if (bucket->full_us < now_us)
        bucket->full_us = now_us;
    bucket->full_us += cost_us;
    if (bucket->full_us > most_us)
        bucket->full_us = most_us;
}

#endif
