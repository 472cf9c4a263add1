#include "load_crowd.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "load_process.h"
#include "load_samples.h"

enum { EVENTS_AT_ONCE = 64, WAIT_MS = 50, ADDRESSES_MAX = 16, ADDRESS_MAX_BYTES = 256 };

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

/* Resolves ADDRESS[,ADDRESS]... into lists, and returns how many; 0 with the cause. The caller
 * frees those that are not NULL. */
static int resolve_all(const char *addresses, struct addrinfo *lists[ADDRESSES_MAX],
                       struct cause *cause)
{
    char address[ADDRESS_MAX_BYTES];
    struct cause why;

    for (int i = 0; i < ADDRESSES_MAX; i++) {
        size_t length = strcspn(addresses, ",");
        snprintf(address, sizeof address, "%.*s", (int)length, addresses);
        if (!wire_resolve(address, &lists[i], &why)) {
            cause_set(cause, "%s: %s", address, why.text);
            return 0;
        }
        if (addresses[length] == '\0')
            return i + 1;
        addresses += length + 1;
    }
    cause_set(cause, "more than %d addresses", ADDRESSES_MAX);
    return 0;
}

bool crowd_connect(struct crowd *crowd, const char *addresses, bool websocket, long count,
                   long group, struct cause *cause)
{
    struct addrinfo *lists[ADDRESSES_MAX] = {NULL};

    *crowd = (struct crowd){.count = count, .lost = -1, .epoll_fd = epoll_create1(EPOLL_CLOEXEC)};
    crowd->wires = calloc((size_t)count, sizeof *crowd->wires);
    if (crowd->wires == NULL || crowd->epoll_fd < 0)
        return cause_set(cause, "%s", strerror(errno));
    if (!descriptors_reserve(count, cause))
        return false;
    int servers = resolve_all(addresses, lists, cause);
    bool good = servers > 0;
    while (good && crowd->connected < count) {
        long first = crowd->connected / group, place = crowd->connected % group;
        good = connect_one(crowd, lists[(first + place) % servers], websocket, cause);
    }
    for (int i = 0; i < ADDRESSES_MAX; i++)
        if (lists[i] != NULL)
            freeaddrinfo(lists[i]);
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
