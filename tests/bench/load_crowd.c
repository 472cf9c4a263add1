#include "load_crowd.h"

#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "load_process.h"
#include "load_samples.h"

enum { EVENTS_AT_ONCE = 64, WAIT_MS = 50 };

static bool connect_one(struct crowd *crowd, const struct addrinfo *list, bool websocket,
                        struct cause *cause)
{
    long index = crowd->connected;
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)index};
    struct cause why;

    if (!wire_connect(&crowd->wires[index], list, &why) ||
        (websocket && !wire_upgrade(&crowd->wires[index], &why)))
        return cause_set(cause, "connection %ld of %ld: %s", index + 1, crowd->count, why.text);
    crowd->connected++;
    if (epoll_ctl(crowd->epoll_fd, EPOLL_CTL_ADD, crowd->wires[index].fd, &event) != 0)
        return cause_set(cause, "epoll_ctl: %s", strerror(errno));
    return true;
}

bool crowd_connect(struct crowd *crowd, const char *address, bool websocket, long count,
                   struct cause *cause)
{
    struct addrinfo *list;
    struct cause why;
    bool good = true;

    *crowd = (struct crowd){.count = count, .lost = -1, .epoll_fd = epoll_create1(EPOLL_CLOEXEC)};
    crowd->wires = calloc((size_t)count, sizeof *crowd->wires);
    if (crowd->wires == NULL || crowd->epoll_fd < 0)
        return cause_set(cause, "%s", strerror(errno));
    if (!descriptors_reserve(count, cause))
        return false;
    if (!wire_resolve(address, &list, &why))
        return cause_set(cause, "%s: %s", address, why.text);
    while (good && crowd->connected < count)
        good = connect_one(crowd, list, websocket, cause);
    freeaddrinfo(list);
    crowd->heard_ns = clock_ns();
    return good;
}

static bool read_one(struct crowd *crowd, long index, crowd_hear *hear, void *context,
                     struct cause *cause)
{
    const char *line;

    crowd->lost = index;
    if (!wire_fill(&crowd->wires[index], cause))
        return false;
    crowd->lost = -1;
    crowd->heard_ns = clock_ns();
    while ((line = wire_line(&crowd->wires[index])) != NULL)
        if (!hear(context, index, line))
            break;
    return true;
}

bool crowd_turn(struct crowd *crowd, crowd_hear *hear, void *context, struct cause *cause)
{
    struct epoll_event events[EVENTS_AT_ONCE];
    int count = epoll_wait(crowd->epoll_fd, events, EVENTS_AT_ONCE, WAIT_MS);

    if (count < 0 && errno != EINTR)
        return cause_set(cause, "epoll_wait: %s", strerror(errno));
    for (int i = 0; i < count; i++)
        if (!read_one(crowd, (long)events[i].data.u64, hear, context, cause))
            return false;
    if (clock_ns() - crowd->heard_ns > SILENCE_S * INT64_C(1000000000))
        return cause_set(cause, "nothing came for %d seconds", SILENCE_S);
    return true;
}

int64_t crowd_received_bytes(const struct crowd *crowd)
{
    int64_t bytes = 0;

    for (long i = 0; i < crowd->connected; i++)
        bytes += crowd->wires[i].received_bytes;
    return bytes;
}

void crowd_close(struct crowd *crowd)
{
    for (long i = 0; i < crowd->connected; i++)
        wire_close(&crowd->wires[i]);
    if (crowd->epoll_fd >= 0)
        close(crowd->epoll_fd);
    free(crowd->wires);
    *crowd = (struct crowd){.epoll_fd = -1, .lost = -1};
}
