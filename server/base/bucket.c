#include "bucket.h"

int64_t bucket_wait_ms(const struct bucket *bucket, int64_t now_ms, int64_t cost_us,
                       int64_t burst_us)
{
    int64_t missing_us = bucket->full_us - now_ms * 1000;
    int64_t most_us = cost_us < burst_us ? burst_us - cost_us : 0;

    return missing_us > most_us ? (missing_us - most_us + 999) / 1000 : 0;
}

void bucket_take(struct bucket *bucket, int64_t now_ms, int64_t cost_us)
{
    if (bucket->full_us < now_ms * 1000)
        bucket->full_us = now_ms * 1000;
    bucket->full_us += cost_us;
}
