#include "deadline.h"

#include <stdlib.h>

#include "common/xmalloc.h"

void deadlines_release(struct deadlines *deadlines)
{
    free(deadlines->heap);
    *deadlines = (struct deadlines){0};
}

static void reserve(struct deadlines *deadlines)
{
    if (deadlines->count < deadlines->capacity)
        return;
    deadlines->capacity = deadlines->capacity * 2 + 64;
    deadlines->heap =
        xreallocarray(deadlines->heap, (size_t)deadlines->capacity, sizeof(struct deadline *));
}

static void put(struct deadlines *deadlines, int place, struct deadline *deadline)
{
    deadlines->heap[place - 1] = deadline;
    deadline->place = place;
}

static int64_t time_at(const struct deadlines *deadlines, int place)
{
    return deadlines->heap[place - 1]->at_ms;
}

/* Puts a deadline at a free place, or as far above as it belongs. */
static void rise(struct deadlines *deadlines, int place, struct deadline *deadline)
{
    while (place > 1 && deadline->at_ms < time_at(deadlines, place / 2)) {
        put(deadlines, place, deadlines->heap[place / 2 - 1]);
        place /= 2;
    }
    put(deadlines, place, deadline);
}

/* Puts a deadline at a free place, or as far below as it belongs. */
static void sink(struct deadlines *deadlines, int place, struct deadline *deadline)
{
    for (int child; (child = 2 * place) <= deadlines->count; place = child) {
        if (child < deadlines->count && time_at(deadlines, child + 1) < time_at(deadlines, child))
            child++;
        if (deadline->at_ms <= time_at(deadlines, child))
            break;
        put(deadlines, place, deadlines->heap[child - 1]);
    }
    put(deadlines, place, deadline);
}

/* Puts a deadline where it belongs, from a free place on. */
static void settle(struct deadlines *deadlines, int place, struct deadline *deadline)
{
    rise(deadlines, place, deadline);
    sink(deadlines, deadline->place, deadline);
}

void deadline_set(struct deadlines *deadlines, struct deadline *deadline, int64_t at_ms)
{
    if (deadline->place == 0) {
        reserve(deadlines);
        deadline->place = ++deadlines->count;
    }
    deadline->at_ms = at_ms;
    settle(deadlines, deadline->place, deadline);
}

void deadline_clear(struct deadlines *deadlines, struct deadline *deadline)
{
    int place = deadline->place;

    if (place == 0)
        return;
    struct deadline *last = deadlines->heap[--deadlines->count];
    deadline->place = 0;
    if (last != deadline)
        settle(deadlines, place, last);
}

struct deadline *deadlines_first(const struct deadlines *deadlines)
{
    return deadlines->count > 0 ? deadlines->heap[0] : NULL;
}
