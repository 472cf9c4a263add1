/*
 * A token bucket: allows a rate, and a burst after a pause. It counts in the microseconds that what
 * was taken needs to grow back, so a bucket is one number (the GCRA of ITU-T I.371) and its rate
 * may change at any time. Pure arithmetic.
 */
#ifndef LUDUS_BUCKET_H
#define LUDUS_BUCKET_H

#include <stdint.h>

struct bucket {
    int64_t full_us; /* when it will be full again; 0: a new one */
};

/* Returns the milliseconds, rounded up, until `cost_us` may be taken; 0: now. A full bucket holds
 * `burst_us`; a larger cost may be taken from a full bucket only. */
int64_t bucket_wait_ms(const struct bucket *bucket, int64_t now_ms, int64_t cost_us,
                       int64_t burst_us);

/* Takes `cost_us`, even if the bucket holds less. */
void bucket_take(struct bucket *bucket, int64_t now_ms, int64_t cost_us);

#endif
