/* The monotonic clock, for all times and timeouts of the client's programs. */
#ifndef LUDUS_CLOCK_MS_H
#define LUDUS_CLOCK_MS_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
