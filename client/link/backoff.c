#include "backoff.h"

void backoff_begin(struct backoff *backoff, int64_t now_ms, int64_t held_ms)
{
    backoff->lost_ms = now_ms;
    if (held_ms >= BACKOFF_LASTED_MS)
        backoff->pause_ms = 0;
}

int backoff_next_ms(struct backoff *backoff, int64_t now_ms)
{
    bool recent = now_ms - backoff->lost_ms < BACKOFF_SHORT_FOR_MS;
    int most_ms = recent ? BACKOFF_SHORT_MS : BACKOFF_LONG_MS;
    int pause_ms = backoff->pause_ms > 0 ? backoff->pause_ms * 2 : BACKOFF_FIRST_MS;

    backoff->pause_ms = pause_ms < most_ms ? pause_ms : most_ms;
    return backoff->pause_ms;
}
