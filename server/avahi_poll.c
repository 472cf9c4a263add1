#include "avahi_poll.h"

#include <event2/event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

struct AvahiWatch {
    struct event_base *base;
    struct event *event;
    int fd;
    AvahiWatchEvent happened; /* at the last callback */
    AvahiWatchCallback callback;
    void *context;
};

struct AvahiTimeout {
    struct event *event;
    AvahiTimeoutCallback callback;
    void *context;
};

/* The callback may free the watch. */
static void on_ready(evutil_socket_t fd, short what, void *context)
{
    struct AvahiWatch *watch = context;
    int happened = 0;

    if ((what & EV_READ) != 0)
        happened |= AVAHI_WATCH_IN;
    if ((what & EV_WRITE) != 0)
        happened |= AVAHI_WATCH_OUT;
    watch->happened = (AvahiWatchEvent)happened;
    watch->callback(watch, (int)fd, watch->happened, watch->context);
}

/* libevent tells of an error or a hang-up as of readiness: reading or writing then says what it
 * is. */
static bool listen_for(struct AvahiWatch *watch, AvahiWatchEvent wanted)
{
    short what = EV_PERSIST;

    if ((wanted & AVAHI_WATCH_IN) != 0)
        what |= EV_READ;
    if ((wanted & AVAHI_WATCH_OUT) != 0)
        what |= EV_WRITE;
    if (watch->event == NULL)
        watch->event = event_new(watch->base, watch->fd, what, on_ready, watch);
    else if (event_del(watch->event) != 0 ||
             event_assign(watch->event, watch->base, watch->fd, what, on_ready, watch) != 0)
        return false;
    return watch->event != NULL && (what == EV_PERSIST || event_add(watch->event, NULL) == 0);
}

static void watch_free(AvahiWatch *watch)
{
    if (watch->event != NULL)
        event_free(watch->event);
    free(watch);
}

static AvahiWatch *watch_new(const AvahiPoll *api, int fd, AvahiWatchEvent wanted,
                             AvahiWatchCallback callback, void *context)
{
    struct AvahiWatch *watch = calloc(1, sizeof *watch);

    if (watch == NULL)
        return NULL;
    *watch = (struct AvahiWatch){
        .base = api->userdata, .fd = fd, .callback = callback, .context = context};
    if (listen_for(watch, wanted))
        return watch;
    watch_free(watch);
    return NULL;
}

static void watch_update(AvahiWatch *watch, AvahiWatchEvent wanted)
{
    listen_for(watch, wanted); /* there is nobody to tell: then it stays silent */
}

static AvahiWatchEvent watch_get_events(AvahiWatch *watch)
{
    return watch->happened;
}

static void on_due(evutil_socket_t fd, short what, void *context)
{
    struct AvahiTimeout *timeout = context;

    (void)fd, (void)what;
    timeout->callback(timeout, timeout->context);
}

/* Avahi says when, by the calendar's clock; NULL: never. */
static void timeout_update(AvahiTimeout *timeout, const struct timeval *due)
{
    struct timeval now, left;

    evtimer_del(timeout->event);
    if (due == NULL)
        return;
    evutil_gettimeofday(&now, NULL);
    evutil_timersub(due, &now, &left);
    if (left.tv_sec < 0)
        evutil_timerclear(&left);
    evtimer_add(timeout->event, &left);
}

static void timeout_free(AvahiTimeout *timeout)
{
    event_free(timeout->event);
    free(timeout);
}

static AvahiTimeout *timeout_new(const AvahiPoll *api, const struct timeval *due,
                                 AvahiTimeoutCallback callback, void *context)
{
    struct AvahiTimeout *timeout = calloc(1, sizeof *timeout);

    if (timeout == NULL)
        return NULL;
    *timeout = (struct AvahiTimeout){.event = evtimer_new(api->userdata, on_due, timeout),
                                     .callback = callback,
                                     .context = context};
    if (timeout->event == NULL) {
        free(timeout);
        return NULL;
    }
    timeout_update(timeout, due);
    return timeout;
}

AvahiPoll avahi_poll_on(struct event_base *base)
{
    return (AvahiPoll){.userdata = base,
                       .watch_new = watch_new,
                       .watch_update = watch_update,
                       .watch_get_events = watch_get_events,
                       .watch_free = watch_free,
                       .timeout_new = timeout_new,
                       .timeout_update = timeout_update,
                       .timeout_free = timeout_free};
}
