#include "loop.h"

#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>

#include "common/xmalloc.h"
#include "connection.h"
#include "listener.h"
#include "now.h"
#include "server/base/log.h"
#include "server/play/lifecycle.h"

enum {
    TICK_MS = 1000, /* looks at every connection: ten thousand idle ones would be felt */
    CALLS_MAX = 4
};

/* What others want to be called for. */
struct call {
    struct event *event; /* of those that come again and again */
    void (*function)(void *context);
    void *context;
};

struct loop {
    struct event_base *base;
    struct server *server;
    struct connections connections;
    struct listeners listeners;
    struct event *tick, *term, *interrupt, *child, *hangup;
    struct call hangup_call, stop_call, calls[CALLS_MAX];
    int call_count;
    struct event *deadline; /* the nearest thing that happens at a match by itself */
    int64_t deadline_ms;    /* when that is; -1: the timer does not run */
    int64_t stop_by_ms;     /* 0: running */
    bool done;
};

/* Sets the timer to the server's nearest deadline, where that has changed. */
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
    /* One more millisecond, as now_ms is rounded down: the timer is rather late than early. */
    int64_t left_ms = at_ms > loop->server->now_ms ? at_ms - loop->server->now_ms + 1 : 0;
    struct timeval left = {.tv_sec = left_ms / 1000, .tv_usec = left_ms % 1000 * 1000};
    evtimer_add(loop->deadline, &left);
}

static void on_deadline(evutil_socket_t fd, short what, void *context)
{
    struct loop *loop = context;

    (void)fd, (void)what;
    now_set(loop->server);
    loop->deadline_ms = -1; /* it has fired, be it early */
    server_run_deadlines(loop->server);
}

/* Who stops waits for the others to be gone. */
static void note_end(struct loop *loop)
{
    if (loop->stop_by_ms != 0 && connections_empty(&loop->connections))
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
        loop->done = true; /* asked twice: at once */
        return;
    }
    log_line(LOG_INFO, "event=stopping signal=%d", (int)signal_number);
    if (loop->stop_call.function != NULL)
        loop->stop_call.function(loop->stop_call.context);
    loop->stop_by_ms = loop->server->now_ms + loop->server->limits.drain_s * 1000LL + 1;
    listeners_close(&loop->listeners);
    server_shutdown(loop->server);
    note_end(loop);
}

static void on_hangup(evutil_socket_t signal_number, short what, void *context)
{
    struct loop *loop = context;

    now_set(loop->server);
    if (loop->hangup_call.function == NULL)
        on_stop(signal_number, what, context);
    else if (loop->stop_by_ms == 0)
        loop->hangup_call.function(loop->hangup_call.context);
}

static void on_call(evutil_socket_t fd, short what, void *context)
{
    const struct call *call = context;

    (void)fd, (void)what;
    call->function(call->context);
}

static void on_child(evutil_socket_t fd, short what, void *context)
{
    struct loop *loop = context;

    (void)fd, (void)what;
    now_set(loop->server);
    house_bots_reap(&loop->server->house, loop->server->now_ms);
}

static bool add_events(struct loop *loop)
{
    const struct timeval interval = {.tv_sec = TICK_MS / 1000, .tv_usec = TICK_MS % 1000 * 1000};

    loop->tick = event_new(loop->base, -1, EV_PERSIST, on_tick, loop);
    loop->deadline = evtimer_new(loop->base, on_deadline, loop);
    loop->term = evsignal_new(loop->base, SIGTERM, on_stop, loop);
    loop->interrupt = evsignal_new(loop->base, SIGINT, on_stop, loop);
    loop->child = evsignal_new(loop->base, SIGCHLD, on_child, loop);
    loop->hangup = evsignal_new(loop->base, SIGHUP, on_hangup, loop);
    return evsignal_add(loop->hangup, NULL) == 0 && event_add(loop->tick, &interval) == 0 &&
           evsignal_add(loop->term, NULL) == 0 && evsignal_add(loop->interrupt, NULL) == 0 &&
           evsignal_add(loop->child, NULL) == 0;
}

/* What libevent has to say belongs into the log. */
static void on_message(int severity, const char *text)
{
    log_line(severity == EVENT_LOG_ERR ? LOG_ERROR : LOG_WARN, "event=libevent text=%s",
             log_quote(text).text);
}

void loop_use_xmalloc(void)
{
    event_set_mem_functions(xmalloc, xrealloc, free);
}

struct loop *loop_new(struct server *server)
{
    struct loop *loop = xcalloc(1, sizeof *loop);

    event_set_log_callback(on_message);
    loop->server = server;
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

bool loop_listen(struct loop *loop, const char *address, struct ssl_ctx_st *certificate,
                 char *bound, size_t size, struct cause *cause)
{
    return listeners_add(&loop->listeners, address, certificate, bound, size, cause);
}

bool loop_adopt(struct loop *loop, int descriptor, char *bound, size_t size, struct cause *cause)
{
    return listeners_adopt(&loop->listeners, descriptor, bound, size, cause);
}

void loop_on_hangup(struct loop *loop, void (*function)(void *context), void *context)
{
    loop->hangup_call = (struct call){.function = function, .context = context};
}

void loop_on_stop(struct loop *loop, void (*function)(void *context), void *context)
{
    loop->stop_call = (struct call){.function = function, .context = context};
}

bool loop_call_every(struct loop *loop, int64_t interval_ms, void (*function)(void *context),
                     void *context)
{
    const struct timeval interval = {.tv_sec = interval_ms / 1000,
                                     .tv_usec = interval_ms % 1000 * 1000};

    if (loop->call_count == CALLS_MAX)
        return false;
    struct call *call = &loop->calls[loop->call_count];
    *call = (struct call){.function = function, .context = context};
    call->event = event_new(loop->base, -1, EV_PERSIST, on_call, call);
    loop->call_count++;
    return event_add(call->event, &interval) == 0;
}

struct event_base *loop_base(struct loop *loop)
{
    return loop->base;
}

size_t loop_pending_bytes(const struct loop *loop)
{
    return connections_pending_bytes(&loop->connections);
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
        connections_work(&loop->connections);
        note_end(loop);
        server_end_turn(loop->server);
        connections_write(&loop->connections);
    }
    return true;
}

void loop_free(struct loop *loop)
{
    struct event *events[] = {loop->tick,      loop->deadline, loop->term,
                              loop->interrupt, loop->child,    loop->hangup};

    connections_release(&loop->connections);
    listeners_release(&loop->listeners);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        event_free(events[i]);
    for (int i = 0; i < loop->call_count; i++)
        event_free(loop->calls[i].event);
    event_base_free(loop->base);
    free(loop);
}
