#include "beacon_limit.h"

enum { SECOND_US = 1000000 };

bool beacon_may_answer(struct beacon_limit *limit, uint32_t address, int64_t now_ms)
{
    const int64_t one_us = SECOND_US / BEACON_ADDRESS_RATE, all_us = SECOND_US / BEACON_ALL_RATE;
    /* Fibonacci hashing: neighbours, as the addresses of a network are, fall apart. */
    struct bucket *own = &limit->address[(address * 2654435769u) >> 24];

    if (bucket_wait_ms(own, now_ms, one_us, one_us * BEACON_ADDRESS_BURST) > 0 ||
        bucket_wait_ms(&limit->all, now_ms, all_us, all_us * BEACON_ALL_BURST) > 0)
        return false;
    bucket_take(own, now_ms, one_us);
    bucket_take(&limit->all, now_ms, all_us);
    return true;
}
