/* Measured durations and their percentiles. */
#ifndef LUDUS_LOAD_SAMPLES_H
#define LUDUS_LOAD_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

/* All zero means none. */
struct samples {
    int64_t *taken_ns;
    size_t count, room;
};

/* Adds one; ends the program when memory runs out. */
void samples_add(struct samples *samples, int64_t ns);

/* Sorts the samples; call it before samples_us(). */
void samples_sort(struct samples *samples);

/* Returns the duration in microseconds that `share` (0 to 1) of the samples do not exceed; 0
 * without samples. */
double samples_us(const struct samples *samples, double share);

void samples_release(struct samples *samples);

/* Returns the monotonic time. */
int64_t clock_ns(void);

#endif
