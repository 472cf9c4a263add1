#include "load_play.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "load_pairing.h"

enum {
    EVENTS_AT_ONCE = 64,
    WAIT_MS = 50,
    SILENCE_S = 30 /* a server that says nothing for so long is stuck */
};

static void read_peer(struct peer *peer)
{
    struct load *load = peer->pairing->load;
    struct cause cause;
    const char *line;

    if (!wire_fill(&peer->wire, &cause))
        peer_fail(peer, cause.text, "");
    load->heard_ns = clock_ns();
    while (!load->failed && (line = wire_line(&peer->wire)) != NULL)
        peer_hear(peer, line);
}

/* Waits a little for lines, and handles those that came. */
static void turn(struct load *load)
{
    struct epoll_event events[EVENTS_AT_ONCE];
    int count = epoll_wait(load->epoll_fd, events, EVENTS_AT_ONCE, WAIT_MS);

    if (count < 0 && errno != EINTR)
        load_fail(load, "epoll_wait: %s", strerror(errno));
    for (int i = 0; i < count && !load->failed; i++)
        read_peer(events[i].data.ptr);
    if (clock_ns() - load->heard_ns > SILENCE_S * INT64_C(1000000000))
        load_fail(load, "nothing came for %d seconds", SILENCE_S);
}

/* The run. */

/* Every connection is a descriptor. */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static bool allocate(struct load *load)
{
    const struct load_options *options = load->options;
    long peers_each = 2 + options->watchers;

    load->peer_count = options->matches * peers_each;
    load->peers = calloc((size_t)load->peer_count, sizeof *load->peers);
    load->pairings = calloc((size_t)options->matches, sizeof *load->pairings);
    load->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (load->peers == NULL || load->pairings == NULL || load->epoll_fd < 0) {
        load_fail(load, "%s", strerror(errno));
        return false;
    }
    for (long i = 0; i < options->matches; i++) {
        struct pairing *pairing = &load->pairings[i];
        pairing->load = load;
        pairing->peers = load->peers + i * peers_each;
        pairing->players_awaited = 2; /* names */
        pairing->rng = (uint64_t)options->seed * 1000003 + (uint64_t)i;
    }
    return true;
}

static bool connect_peer(struct load *load, struct peer *peer, const struct addrinfo *list)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = peer};
    struct cause cause;

    if (!wire_connect(&peer->wire, list, &cause)) {
        load_fail(load, "connection %ld of %ld: %s", load->connected + 1, load->peer_count,
                  cause.text);
        return false;
    }
    load->connected++;
    if (epoll_ctl(load->epoll_fd, EPOLL_CTL_ADD, peer->wire.fd, &event) != 0)
        load_fail(load, "epoll_ctl: %s", strerror(errno));
    return !load->failed;
}

/* Connects all. The players' names are new ones on every run: a server with a store remembers the
 * old ones. */
static void connect_all(struct load *load)
{
    long peers_each = 2 + load->options->watchers;
    unsigned run = (unsigned)time(NULL) * 1024 + (unsigned)getpid();
    struct addrinfo *list;
    struct cause cause;

    if (!wire_resolve(load->options->address, &list, &cause)) {
        load_fail(load, "%s: %s", load->options->address, cause.text);
        return;
    }
    for (long i = 0; i < load->peer_count; i++) {
        struct peer *peer = &load->peers[i];
        peer->pairing = &load->pairings[i / peers_each];
        if (!connect_peer(load, peer, list))
            break;
        if (i % peers_each >= 2)
            continue;
        snprintf(peer->name, sizeof peer->name, "load-%08x-%d", run, (int)i);
        peer_say(peer, "hello", peer->name);
    }
    freeaddrinfo(list);
}

static void read_server_cpu(struct load *load, int64_t *cpu_ns)
{
    *cpu_ns = 0;
    if (load->options->pid > 0 && !process_cpu_ns(load->options->pid, cpu_ns))
        load_fail(load, "--pid %ld: there is no such process", load->options->pid);
}

/* From the first move to the last. */
static void play(struct load *load)
{
    const struct load_options *options = load->options;
    struct load_result *result = load->result;
    int64_t before_ns, after_ns, own_ns = own_cpu_ns();

    read_server_cpu(load, &before_ns);
    load->playing = true;
    load->started_ns = load->heard_ns = clock_ns();
    for (long i = 0; i < options->matches; i++)
        pairing_go_on(&load->pairings[i]);
    while (!load->failed && load->resting < options->matches) {
        turn(load);
        if (options->seconds > 0 &&
            clock_ns() - load->started_ns >= options->seconds * INT64_C(1000000000))
            load->stopping = true;
    }
    result->took_ns = clock_ns() - load->started_ns;
    result->own_cpu_ns = own_cpu_ns() - own_ns;
    read_server_cpu(load, &after_ns);
    result->server_cpu_ns = after_ns > before_ns ? after_ns - before_ns : 0;
}

void load_play(const struct load_options *options, struct load_result *result)
{
    struct load load = {.options = options, .result = result};

    *result = (struct load_result){0};
    raise_descriptor_limit();
    if (allocate(&load))
        connect_all(&load);
    load.heard_ns = clock_ns();
    while (!load.failed && load.ready < options->matches)
        turn(&load);
    if (!load.failed)
        play(&load);
    for (long i = 0; i < load.connected; i++)
        wire_close(&load.peers[i].wire);
    if (load.epoll_fd >= 0)
        close(load.epoll_fd);
    free(load.peers);
    free(load.pairings);
    samples_sort(&result->players);
    samples_sort(&result->watchers);
}

void load_release(struct load_result *result)
{
    samples_release(&result->players);
    samples_release(&result->watchers);
}
