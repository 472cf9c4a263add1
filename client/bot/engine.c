#include "engine.h"

#include <strings.h>
#include <time.h>

const struct engine *const engines[] = {
    &random_engine, &greedy_engine, &easy_engine, &medium_engine, &hard_engine, &max_engine, NULL};

const struct engine *engine_find(const char *name)
{
    for (const struct engine *const *engine = engines; *engine != NULL; engine++)
        if (strcasecmp((*engine)->name, name) == 0)
            return *engine;
    return NULL;
}

int64_t clock_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum { RESERVE_MS = 50 }; /* for the way to the server, or a twentieth of what is left if more */

/* A twentieth of what is left and most of the increment, as one cannot know how many moves are
 * still to come; never more than half of what is left, and never into the reserve. */
int64_t clock_deadline_ms(int64_t left_ms, int64_t increment_ms)
{
    int64_t reserve_ms = left_ms / 20 > RESERVE_MS ? left_ms / 20 : RESERVE_MS;
    int64_t most_ms = left_ms - reserve_ms < left_ms / 2 ? left_ms - reserve_ms : left_ms / 2;
    int64_t budget_ms = left_ms / 20 + increment_ms * 3 / 4;

    if (budget_ms > most_ms)
        budget_ms = most_ms;
    return clock_ms() + (budget_ms > 0 ? budget_ms : 0);
}

bool question_is_due(const struct question *question, uint64_t nodes)
{
    const struct limits *limits = &question->limits;

    return atomic_load_explicit(question->stop, memory_order_relaxed) || nodes >= limits->nodes ||
           (limits->deadline_ms != INT64_MAX && clock_ms() >= limits->deadline_ms);
}
