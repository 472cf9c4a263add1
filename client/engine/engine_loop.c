#include "engine_loop.h"

#include <stdlib.h>
#include <unistd.h>

#include "common/xmalloc.h"
#include "stop_signal.h"

bool engine_loop_open(struct engine_loop *loop, bool quiet)
{
    *loop = (struct engine_loop){.quiet = quiet, .now_ms = clock_ms()};
    TAILQ_INIT(&loop->engines);
    loop->signal_fd = stop_signal_watch();
    return loop->signal_fd >= 0;
}

bool engine_loop_is_to_end(void)
{
    return stop_signal_wanted() != STOP_NOT;
}

static void reap(struct engine_loop *loop)
{
    struct process *engine, *next;

    for (engine = TAILQ_FIRST(&loop->engines); engine != NULL; engine = next) {
        next = TAILQ_NEXT(engine, link);
        if (engine->leaving)
            process_reap(&loop->engines, engine, clock_ms(), loop->quiet);
    }
}

bool engine_loop_wait(struct engine_loop *loop, int fd, int64_t due_ms)
{
    struct process *engine;
    size_t count = 2;

    /* Before waiting, as the signal of an ended engine may have come already. */
    reap(loop);
    TAILQ_FOREACH (engine, &loop->engines, link) {
        count += 2;
        if (engine->leaving)
            due_ms = sooner_ms(due_ms, engine->kill_ms);
    }
    loop->entries = xreallocarray(loop->entries, count, sizeof loop->entries[0]);
    struct pollfd *entry = loop->entries;
    *entry++ = (struct pollfd){.fd = loop->signal_fd, .events = POLLIN};
    *entry++ = (struct pollfd){.fd = fd, .events = POLLIN};
    TAILQ_FOREACH (engine, &loop->engines, link) {
        *entry++ = (struct pollfd){.fd = engine->out, .events = POLLIN};
        *entry++ = (struct pollfd){.fd = engine->err, .events = POLLIN};
    }
    bool polled = poll(loop->entries, count, until_ms(due_ms)) > 0;
    entry = loop->entries + 2;
    TAILQ_FOREACH (engine, &loop->engines, link) {
        engine->ready = polled && entry++->revents != 0;
        if (polled && entry++->revents != 0)
            process_read_errors(engine, loop->quiet);
    }
    loop->now_ms = clock_ms();
    stop_signal_read(loop->signal_fd);
    return polled && loop->entries[1].revents != 0;
}

void engine_loop_close(struct engine_loop *loop)
{
    while (reap(loop), !TAILQ_EMPTY(&loop->engines))
        engine_loop_wait(loop, -1, INT64_MAX);
    free(loop->entries);
    if (loop->signal_fd >= 0)
        close(loop->signal_fd);
}
