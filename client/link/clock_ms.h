/* The monotonic clock, for all times and timeouts of the client's programs. */
#ifndef LUDUS_CLOCK_MS_H
#define LUDUS_CLOCK_MS_H

#include <limits.h>
#include <stdint.h>
#include <time.h>

static inline int64_t clock_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Milliseconds until a time, from 0 to INT_MAX, for poll(). */
static inline int until_ms(int64_t time_ms)
{
    int64_t now_ms = clock_ms();

    if (time_ms <= now_ms)
        return 0;
    return time_ms - now_ms < INT_MAX ? (int)(time_ms - now_ms) : INT_MAX;
}

/* The sooner one of two times. */
static inline int64_t sooner_ms(int64_t a_ms, int64_t b_ms)
{
    return a_ms < b_ms ? a_ms : b_ms;
}

#endif
