/*
 * Deadlines: a heap of the times at which something must happen, the nearest on top. Each deadline
 * is a member of the object that it is about; the heap borrows it while it is set. The times are
 * those of any monotonic clock.
 */
#ifndef LUDUS_DEADLINE_H
#define LUDUS_DEADLINE_H

#include <stdint.h>

struct table;

/* All zero but the table: not set. */
struct deadline {
    struct table *table; /* borrowed: the table that it is about */
    int64_t at_ms;
    int place; /* in the heap, from 1; 0: not set */
};

struct deadlines {
    struct deadline **heap; /* owned, of borrowed deadlines; heap[0] is place 1 */
    int count, capacity;
};

void deadlines_release(struct deadlines *deadlines);

/* Sets or moves a deadline. */
void deadline_set(struct deadlines *deadlines, struct deadline *deadline, int64_t at_ms);

/* Removes a deadline from the heap, if it is set. */
void deadline_clear(struct deadlines *deadlines, struct deadline *deadline);

/* Returns the nearest deadline, or NULL. */
struct deadline *deadlines_first(const struct deadlines *deadlines);

#endif
