/* When a search has to answer: nodes, time, and its helpers' share of both. */
#include "tree.h"

enum { SLOW_MS = 2 };

uint64_t tree_nodes(struct search *s)
{
    struct crew *crew = s->crew;

    if (crew->helpers == 0)
        return s->nodes;
    uint64_t uncounted = s->nodes - s->counted_nodes;
    s->counted_nodes = s->nodes;
    return atomic_fetch_add_explicit(&crew->nodes, uncounted, memory_order_relaxed) + uncounted;
}

/* Keeps the looks at the clock some milliseconds apart. One position may take a thousand times
 * longer than another: the first to touch a page of a large table. */
static void watch(struct search *s)
{
    int64_t now_ms = clock_ms();

    if (now_ms - s->looked_ms >= SLOW_MS)
        s->work_unwatched = s->work_unwatched / 8 + 1;
    else if (s->work_unwatched < WORK_UNWATCHED)
        s->work_unwatched *= 2;
    s->looked_ms = now_ms;
}

/* What is too slow to ask at every position. */
static bool is_over(struct search *s)
{
    uint64_t nodes = tree_nodes(s);

    return nodes >= s->node_limit ||
           (s->helps && atomic_load_explicit(&s->crew->done, memory_order_relaxed)) ||
           question_is_due(s->question, nodes);
}

bool tree_is_due(struct search *s)
{
    s->nodes++;
    if (s->nodes >= s->node_limit)
        s->stopped = true;
    if (++s->work >= s->work_unwatched) {
        s->work = 0;
        watch(s);
        s->stopped = s->stopped || is_over(s);
    }
    return s->stopped;
}
