/*
 * A token bucket: so much may be taken a second, and, when little was taken before, a burst at
 * once. What is taken is counted in the microseconds that it takes to grow again, so a bucket is
 * one number (Turner's leaky bucket, in the form of the GCRA of ITU-T I.371) and its rate may
 * change at any time. Pure arithmetic.
 */
#ifndef LUDUS_BUCKET_H
#define LUDUS_BUCKET_H

#include <stdint.h>

struct bucket {
    int64_t full_us; /* when it is full again, if nothing more is taken; a new one: 0 */
};

/* How long it takes until `cost_us` may be taken, in milliseconds rounded up; 0: now. `burst_us` is
 * what a full bucket holds; more than that may be taken from a full one only. */
int64_t bucket_wait_ms(const struct bucket *bucket, int64_t now_ms, int64_t cost_us,
                       int64_t burst_us);

/* Takes it, whether it is there or not. */
void bucket_take(struct bucket *bucket, int64_t now_ms, int64_t cost_us);

#endif
