#include "poll_set.h"

#include <stdlib.h>
#include <time.h>

#include "common/xmalloc.h"

enum { WAIT_MAX_MS = 60000 };

int64_t process_clock_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int wait_ms(int64_t due_ms)
{
    int64_t now_ms = process_clock_ms();

    if (due_ms == INT64_MAX)
        return -1;
    if (due_ms <= now_ms)
        return 0;
    return due_ms - now_ms < WAIT_MAX_MS ? (int)(due_ms - now_ms) : WAIT_MAX_MS;
}

static void add(struct poll_set *set, int *count, int fd)
{
    if (*count == set->size) {
        set->size = set->size * 2 + 8;
        set->entries = xreallocarray(set->entries, (size_t)set->size, sizeof set->entries[0]);
    }
    set->entries[(*count)++] = (struct pollfd){.fd = fd, .events = POLLIN};
}

void poll_set_wait(struct poll_set *set, struct process_list *engines, const int fds[],
                   bool ready[], int count, int64_t due_ms)
{
    struct process *engine;
    int used = 0;

    for (int i = 0; i < count; i++)
        add(set, &used, fds[i]);
    TAILQ_FOREACH (engine, engines, link)
        add(set, &used, engine->out);
    bool polled = poll(set->entries, (nfds_t)used, wait_ms(due_ms)) > 0;
    for (int i = 0; i < count; i++)
        ready[i] = polled && set->entries[i].revents != 0;
    const struct pollfd *entry = set->entries + count;
    TAILQ_FOREACH (engine, engines, link)
        engine->ready = polled && entry++->revents != 0;
}

void poll_set_release(struct poll_set *set)
{
    free(set->entries);
    *set = (struct poll_set){0};
}

void processes_reap(struct process_list *engines, int64_t now_ms, const struct log *log)
{
    struct process *engine, *next;

    for (engine = TAILQ_FIRST(engines); engine != NULL; engine = next) {
        next = TAILQ_NEXT(engine, link);
        if (engine->leaving)
            process_reap(engines, engine, now_ms, log);
    }
}

int64_t processes_due_ms(const struct process_list *engines)
{
    const struct process *engine;
    int64_t due_ms = INT64_MAX;

    TAILQ_FOREACH (engine, engines, link)
        if (engine->leaving && engine->kill_ms < due_ms)
            due_ms = engine->kill_ms;
    return due_ms;
}
