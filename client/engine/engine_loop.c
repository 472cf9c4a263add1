#include "engine_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/xmalloc.h"

/* Handlers need the only mutable globals here. */
static volatile sig_atomic_t ending;
static int wake_fd; /* set before any handler */

static void note_signal(int number)
{
    int error = errno;
    ssize_t written;

    if (number != SIGCHLD)
        ending = 1;
    written = write(wake_fd, "", 1);
    (void)written; /* a full pipe is readable anyway */
    errno = error;
}

bool engine_loop_open(struct engine_loop *loop, bool quiet)
{
    struct sigaction action = {.sa_handler = note_signal};
    int ends[2];

    *loop = (struct engine_loop){.quiet = quiet, .now_ms = clock_ms(), .signal_fd = -1};
    TAILQ_INIT(&loop->engines);
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    loop->signal_fd = ends[0];
    wake_fd = ends[1];
    sigemptyset(&action.sa_mask);
    signal(SIGPIPE, SIG_IGN);
    /* No SA_RESTART: these two interrupt a slow connect(). */
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    action.sa_flags = SA_RESTART;
    sigaction(SIGCHLD, &action, NULL);
    return true;
}

bool engine_loop_is_to_end(void)
{
    return ending != 0;
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
    char bytes[64];
    size_t count = 2;

    /* Before waiting, as the signal of an ended engine may have come already. */
    reap(loop);
    TAILQ_FOREACH (engine, &loop->engines, link) {
        count++;
        if (engine->leaving)
            due_ms = sooner_ms(due_ms, engine->kill_ms);
    }
    loop->entries = xreallocarray(loop->entries, count, sizeof loop->entries[0]);
    struct pollfd *entry = loop->entries;
    *entry++ = (struct pollfd){.fd = loop->signal_fd, .events = POLLIN};
    *entry++ = (struct pollfd){.fd = fd, .events = POLLIN};
    TAILQ_FOREACH (engine, &loop->engines, link)
        *entry++ = (struct pollfd){.fd = engine->out, .events = POLLIN};
    bool polled = poll(loop->entries, count, until_ms(due_ms)) > 0;
    entry = loop->entries + 2;
    TAILQ_FOREACH (engine, &loop->engines, link)
        engine->ready = polled && entry++->revents != 0;
    loop->now_ms = clock_ms();
    while (read(loop->signal_fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes)
        continue;
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
