/* When a search has to answer: what tree.h has of nodes and time. */
#include "tree.h"

enum { SLOW_MS = 2 };

uint64_t tree_nodes(struct search *s)
{
    if (s->crew->helpers == 0)
        return s->nodes;
    uint64_t new_nodes = s->nodes - s->told;
    s->told = s->nodes;
    return crew_count(s->crew, new_nodes);
}

/* Sees to it that only some milliseconds go by between two looks at the clock. A position may take
 * a thousand times longer than another: the first one to use a page of a large memory. */
static void watch(struct search *s)
{
    int64_t now_ms = clock_ms();

    if (now_ms - s->looked_ms >= SLOW_MS)
        s->work_unwatched = s->work_unwatched / 8 + 1;
    else if (s->work_unwatched < WORK_UNWATCHED)
        s->work_unwatched *= 2;
    s->looked_ms = now_ms;
}

/* What is not asked at every position. */
static bool is_over(struct search *s)
{
    uint64_t nodes = tree_nodes(s);

    return nodes >= s->node_limit || (s->helps && crew_is_done(s->crew)) ||
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
