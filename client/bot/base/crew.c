#include "crew.h"

bool crew_add(struct crew *crew, void *(*help)(void *context), void *context)
{
    if (crew->running == THREADS_MAX ||
        pthread_create(&crew->threads[crew->running], NULL, help, context) != 0)
        return false;
    crew->running++;
    return true;
}

uint64_t crew_count(struct crew *crew, uint64_t nodes)
{
    return atomic_fetch_add_explicit(&crew->nodes, nodes, memory_order_relaxed) + nodes;
}

bool crew_is_done(const struct crew *crew)
{
    return atomic_load_explicit(&crew->done, memory_order_relaxed);
}

void crew_end(struct crew *crew)
{
    atomic_store(&crew->done, true);
    for (int i = 0; i < crew->running; i++)
        pthread_join(crew->threads[i], NULL);
    crew->running = 0;
}
