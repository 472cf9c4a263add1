/* Avahi's watches and timeouts on libevent's loop. */
#include <event2/event.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "server/avahi_poll.h"

enum { LIMIT_S = 30 };

/* What has happened. */
struct seen {
    const AvahiPoll *api;
    struct event_base *base;
    int watched, due;
    AvahiWatchEvent last;
    bool frees; /* itself, in its callback */
};

static void on_watch(AvahiWatch *watch, int fd, AvahiWatchEvent event, void *context)
{
    struct seen *seen = context;
    char byte;

    seen->watched++;
    seen->last = event;
    CHECK_INT(seen->api->watch_get_events(watch), event);
    if ((event & AVAHI_WATCH_IN) != 0)
        CHECK(recv(fd, &byte, 1, MSG_DONTWAIT) >= 0);
    if (seen->frees)
        seen->api->watch_free(watch);
    event_base_loopbreak(seen->base);
}

static void on_timeout(AvahiTimeout *timeout, void *context)
{
    struct seen *seen = context;

    seen->due++;
    if (seen->frees)
        seen->api->timeout_free(timeout);
    event_base_loopbreak(seen->base);
}

/* Waits for something that is to come. */
static void wait_for(struct seen *seen)
{
    const struct timeval limit = {.tv_sec = LIMIT_S};

    event_base_loopexit(seen->base, &limit);
    event_base_dispatch(seen->base);
}

/* Handles what is there already. */
static void look(struct seen *seen)
{
    event_base_loop(seen->base, EVLOOP_NONBLOCK);
}

static void test_watch(struct seen *seen)
{
    const AvahiPoll *api = seen->api;
    int ends[2];

    check_about("a watch");
    if (!CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0))
        return;
    AvahiWatch *watch = api->watch_new(api, ends[0], AVAHI_WATCH_IN, on_watch, seen);
    look(seen);
    CHECK_INT(seen->watched, 0);
    CHECK(send(ends[1], "x", 1, 0) == 1);
    wait_for(seen);
    CHECK_INT(seen->watched, 1);
    CHECK_INT(seen->last, AVAHI_WATCH_IN);
    CHECK_INT(api->watch_get_events(watch), AVAHI_WATCH_IN);
    look(seen);
    CHECK_INT(seen->watched, 1);
    api->watch_update(watch, AVAHI_WATCH_OUT);
    wait_for(seen);
    CHECK_INT(seen->watched, 2);
    CHECK_INT(seen->last, AVAHI_WATCH_OUT);
    api->watch_update(watch, 0);
    look(seen);
    CHECK_INT(seen->watched, 2);
    api->watch_update(watch, AVAHI_WATCH_IN);
    seen->frees = true;
    close(ends[1]); /* the end is something to read */
    wait_for(seen);
    CHECK_INT(seen->watched, 3);
    look(seen);
    CHECK_INT(seen->watched, 3);
    close(ends[0]);
    seen->frees = false;
}

/* D-Bus has one watch for reading and one for writing, on the same descriptor. */
static void test_two_watches(struct seen *seen)
{
    const AvahiPoll *api = seen->api;
    int ends[2];

    check_about("two watches");
    if (!CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0))
        return;
    AvahiWatch *reads = api->watch_new(api, ends[0], AVAHI_WATCH_IN, on_watch, seen);
    AvahiWatch *writes = api->watch_new(api, ends[0], 0, on_watch, seen);
    seen->watched = 0;
    CHECK(send(ends[1], "x", 1, 0) == 1);
    wait_for(seen);
    CHECK_INT(seen->last, AVAHI_WATCH_IN);
    api->watch_update(writes, AVAHI_WATCH_OUT);
    wait_for(seen);
    CHECK_INT(seen->last, AVAHI_WATCH_OUT);
    CHECK_INT(seen->watched, 2);
    api->watch_free(reads);
    api->watch_free(writes);
    close(ends[0]);
    close(ends[1]);
}

static void test_timeout(struct seen *seen)
{
    const AvahiPoll *api = seen->api;
    struct timeval now, later;

    check_about("a timeout");
    evutil_gettimeofday(&now, NULL);
    AvahiTimeout *timeout = api->timeout_new(api, NULL, on_timeout, seen);
    look(seen);
    CHECK_INT(seen->due, 0);
    api->timeout_update(timeout, &now); /* has passed: at once */
    wait_for(seen);
    CHECK_INT(seen->due, 1);
    look(seen);
    CHECK_INT(seen->due, 1);
    later = (struct timeval){.tv_sec = now.tv_sec + 3600, .tv_usec = now.tv_usec};
    api->timeout_update(timeout, &later);
    look(seen);
    CHECK_INT(seen->due, 1);
    api->timeout_update(timeout, &now);
    api->timeout_update(timeout, NULL);
    look(seen);
    CHECK_INT(seen->due, 1);
    seen->frees = true;
    later = (struct timeval){.tv_sec = now.tv_sec - 3600};
    api->timeout_update(timeout, &later);
    wait_for(seen);
    CHECK_INT(seen->due, 2);
    api->timeout_free(api->timeout_new(api, &now, on_timeout, seen));
    look(seen);
    CHECK_INT(seen->due, 2);
}

int main(void)
{
    struct event_base *base = event_base_new();

    if (!CHECK(base != NULL))
        return check_end("test_avahi_poll");
    const AvahiPoll api = avahi_poll_on(base);
    struct seen seen = {.api = &api, .base = base};
    test_watch(&seen);
    test_two_watches(&seen);
    test_timeout(&seen);
    event_base_free(base);
    return check_end("test_avahi_poll");
}
