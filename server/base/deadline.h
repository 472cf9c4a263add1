/*
 * Deadlines: a heap of the times at which something must happen, the nearest on top. Each
 * deadline lies in the thing that it is about; the heap borrows it while it is set.
 *
 * Knows neither what happens nor the event loop; the times are those of any monotonic clock.
 */
#ifndef LUDUS_DEADLINE_H
#define LUDUS_DEADLINE_H

#include <stdint.h>

struct table;

/* All zero but the table: not set. */
struct deadline {
    struct table *table; /* whose it is */
    int64_t at_ms;
    int place; /* in the heap, from 1; 0: not set */
};

struct deadline_place {
    struct deadline *deadline; /* borrowed */
};

struct deadlines {
    struct deadline_place *heap; /* owned; heap[0] is place 1 */
    int count, capacity;
};

void deadlines_release(struct deadlines *deadlines);

/* Sets or moves a deadline. */
void deadline_set(struct deadlines *deadlines, struct deadline *deadline, int64_t at_ms);

/* Takes a deadline out of the heap, if it is in. */
void deadline_clear(struct deadlines *deadlines, struct deadline *deadline);

/* The nearest deadline, or NULL. */
struct deadline *deadlines_first(const struct deadlines *deadlines);

#endif
