#include "loop.h"

#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>

#include "common/xmalloc.h"
#include "connection.h"
#include "listener.h"
#include "server/base/log.h"
#include "server/play/lifecycle.h"
#include "server/play/tournaments.h"

enum {
    TICK_S = 1, /* looks at every connection: ten thousand idle ones would be felt */
    EVENTS_MAX = 8
};

struct loop {
    struct event_base *base;
    struct server *server;
    struct loop_hooks hooks;
    struct connections connections;
    struct listeners listeners;
    struct event *events[EVENTS_MAX]; /* signals, and timers that repeat */
    int event_count;
    struct event *deadline; /* fires at the server's nearest deadline */
    int64_t deadline_ms;    /* when that is; -1: the timer does not run */
    int64_t stop_by_ms;     /* 0: running */
    bool done;
};

/* Sets the timer to the server's nearest deadline, if that has changed. */
static void follow_deadline(struct loop *loop)
{
    int64_t at_ms = server_next_deadline_ms(loop->server);

    if (at_ms == loop->deadline_ms)
        return;
    now_set(loop->server);
    loop->deadline_ms = at_ms;
    if (at_ms < 0) {
        evtimer_del(loop->deadline);
        return;
    }
    /* now_ms is rounded down: with a millisecond more the timer is late rather than early. */
    int64_t left_ms = at_ms > loop->server->now_ms ? at_ms - loop->server->now_ms + 1 : 0;
    struct timeval left = {.tv_sec = left_ms / 1000, .tv_usec = left_ms % 1000 * 1000};
    evtimer_add(loop->deadline, &left);
}

static void on_deadline(evutil_socket_t fd, short what, void *context)
{
    struct loop *loop = context;

    (void)fd, (void)what;
    now_set(loop->server);
    loop->deadline_ms = -1; /* it has fired, even if early */
    server_run_deadlines(loop->server);
}

/* Ends the loop if the server is stopping and the last connection is closed. */
static void note_end(struct loop *loop)
{
    if (loop->stop_by_ms != 0 && connections_empty(&loop->connections) &&
        server_is_settled(loop->server))
        loop->done = true;
}

static void on_tick(evutil_socket_t fd, short what, void *context)
{
    struct loop *loop = context;

    (void)fd, (void)what;
    now_set(loop->server);
    connections_tick(&loop->connections);
    if (loop->stop_by_ms == 0)
        server_tick(loop->server);
    else if (loop->server->now_ms >= loop->stop_by_ms)
        loop->done = true;
}

static void on_stop(evutil_socket_t signal_number, short what, void *context)
{
    struct loop *loop = context;

    (void)what;
    now_set(loop->server);
    if (loop->stop_by_ms != 0) {
        loop->done = true; /* the second signal: stop at once */
        return;
    }
    log_line(LOG_INFO, "event=stopping signal=%d", (int)signal_number);
    if (loop->hooks.stopping != NULL)
        loop->hooks.stopping(loop->hooks.context);
    loop->stop_by_ms = loop->server->now_ms + loop->server->limits.drain_s * 1000LL + 1;
    listeners_close(&loop->listeners);
    server_shutdown(loop->server);
    connections_stop(&loop->connections);
    note_end(loop);
}

static void on_hangup_signal(evutil_socket_t signal_number, short what, void *context)
{
    struct loop *loop = context;

    now_set(loop->server);
    if (loop->hooks.hangup == NULL)
        on_stop(signal_number, what, context);
    else if (loop->stop_by_ms == 0)
        loop->hooks.hangup(loop->hooks.context);
}

static void on_alive_timer(evutil_socket_t fd, short what, void *context)
{
    const struct loop *loop = context;

    (void)fd, (void)what;
    loop->hooks.alive(loop->hooks.context);
}

static void on_child(evutil_socket_t fd, short what, void *context)
{
    struct loop *loop = context;

    (void)fd, (void)what;
    now_set(loop->server);
    server_reap(loop->server);
}

static bool call_every(struct loop *loop, int64_t interval_ms, event_callback_fn function)
{
    const struct timeval interval = {.tv_sec = interval_ms / 1000,
                                     .tv_usec = interval_ms % 1000 * 1000};
    struct event *event = event_new(loop->base, -1, EV_PERSIST, function, loop);

    loop->events[loop->event_count++] = event;
    return event_add(event, &interval) == 0;
}

static bool call_at_signal(struct loop *loop, int number, event_callback_fn function)
{
    struct event *event = evsignal_new(loop->base, number, function, loop);

    loop->events[loop->event_count++] = event;
    return evsignal_add(event, NULL) == 0;
}

static void on_keeper(evutil_socket_t fd, short what, void *context)
{
    struct loop *loop = context;
    struct keeper *keeper = loop->server->keeper;

    (void)fd, (void)what;
    now_set(loop->server);
    keeper->kind->work(keeper, loop->server->now_ms);
}

static void on_woken(evutil_socket_t fd, short what, void *context)
{
    struct loop *loop = context;

    (void)fd, (void)what;
    now_set(loop->server);
    tournament_wake(loop->server);
}

/* Calls a function when there is something to read. */
static bool call_when_readable(struct loop *loop, int fd, event_callback_fn function)
{
    struct event *event = event_new(loop->base, fd, EV_READ | EV_PERSIST, function, loop);

    loop->events[loop->event_count++] = event;
    return event_add(event, NULL) == 0;
}

static bool add_events(struct loop *loop)
{
    const struct keeper *keeper = loop->server->keeper;
    bool good = true;

    loop->deadline = evtimer_new(loop->base, on_deadline, loop);
    if (keeper->kind->descriptor != NULL)
        good = call_when_readable(loop, keeper->kind->descriptor(keeper), on_keeper);
    if (loop->server->woken_fd >= 0)
        good = good && call_when_readable(loop, loop->server->woken_fd, on_woken);
    return good && call_every(loop, TICK_S * 1000, on_tick) &&
           call_at_signal(loop, SIGTERM, on_stop) && call_at_signal(loop, SIGINT, on_stop) &&
           call_at_signal(loop, SIGCHLD, on_child) &&
           call_at_signal(loop, SIGHUP, on_hangup_signal) &&
           (loop->hooks.alive_every_ms == 0 ||
            call_every(loop, loop->hooks.alive_every_ms, on_alive_timer));
}

/* Writes libevent's messages to the log. */
static void on_libevent_message(int severity, const char *text)
{
    log_line(severity == EVENT_LOG_ERR ? LOG_ERROR : LOG_WARN, "event=libevent text=%s",
             log_quote(text).text);
}

void loop_use_xmalloc(void)
{
    event_set_mem_functions(xmalloc, xrealloc, free);
}

struct loop *loop_new(struct server *server, const struct loop_hooks *hooks)
{
    struct loop *loop = xcalloc(1, sizeof *loop);

    event_set_log_callback(on_libevent_message);
    loop->server = server;
    loop->hooks = *hooks;
    loop->deadline_ms = -1;
    loop->base = event_base_new();
    if (loop->base == NULL) {
        free(loop);
        return NULL;
    }
    connections_init(&loop->connections, loop->base, server);
    listeners_init(&loop->listeners, &loop->connections);
    if (!add_events(loop)) {
        loop_free(loop);
        return NULL;
    }
    now_set(server);
    server->started_ms = server->now_ms;
    server->started_s = server->wall_s;
    return loop;
}

struct listeners *loop_listeners(struct loop *loop)
{
    return &loop->listeners;
}

void loop_set_web(struct loop *loop, const struct web_names *names)
{
    loop->connections.names = names;
}

void loop_set_trusted(struct loop *loop, const struct networks *trusted)
{
    loop->connections.trusted = trusted;
}

struct event_base *loop_base(struct loop *loop)
{
    return loop->base;
}

bool loop_run(struct loop *loop)
{
    now_set(loop->server);
    house_bots_tick(&loop->server->house, loop->server->now_ms);
    while (!loop->done) {
        follow_deadline(loop);
        int flags = EVLOOP_ONCE;
        if (connections_have_work(&loop->connections))
            flags |= EVLOOP_NONBLOCK;
        if (event_base_loop(loop->base, flags) != 0)
            return false;
        server_end_turn(loop->server);
        loop->server->turn++; /* who had to wait comes first in it */
        connections_work(&loop->connections);
        note_end(loop);
        server_end_turn(loop->server);
        connections_write(&loop->connections);
    }
    return true;
}

void loop_free(struct loop *loop)
{
    sigset_t stops;

    /* Once libevent lets go of signals, a second SIGTERM would end the process before the store is
     * closed. */
    sigemptyset(&stops);
    sigaddset(&stops, SIGTERM);
    sigaddset(&stops, SIGINT);
    sigprocmask(SIG_BLOCK, &stops, NULL);
    connections_release(&loop->connections);
    listeners_release(&loop->listeners);
    for (int i = 0; i < loop->event_count; i++)
        event_free(loop->events[i]);
    event_free(loop->deadline);
    event_base_free(loop->base);
    free(loop);
}
