#include "load_play.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "load_pairing.h"
#include "load_process.h"

static bool hear(void *context, long index, const char *line)
{
    struct load *load = context;

    if (!load->failed)
        peer_hear(&load->peers[index], line);
    return !load->failed;
}

/* Waits briefly for lines and handles them. */
static void turn(struct load *load)
{
    struct cause cause;

    if (crowd_turn(&load->crowd, hear, load, &cause))
        return;
    if (load->crowd.lost >= 0)
        peer_fail(&load->peers[load->crowd.lost], cause.text, "");
    else
        load_fail(load, "%s", cause.text);
}

/* The run. */

static long peers_each(const struct load *load)
{
    return 2 * load->options->windows + load->options->watchers;
}

static bool allocate(struct load *load)
{
    const struct load_options *options = load->options;

    load->pairing_count = options->matches / options->share;
    load->peers = calloc((size_t)(load->pairing_count * peers_each(load)), sizeof *load->peers);
    load->pairings = calloc((size_t)load->pairing_count, sizeof *load->pairings);
    load->bouts = calloc((size_t)options->matches, sizeof *load->bouts);
    if (load->peers == NULL || load->pairings == NULL || load->bouts == NULL) {
        load_fail(load, "%s", strerror(errno));
        return false;
    }
    for (long i = 0; i < load->pairing_count; i++) {
        struct pairing *pairing = &load->pairings[i];
        pairing->load = load;
        pairing->bout = pairing->bouts = load->bouts + i * options->share;
        pairing->peers = load->peers + i * peers_each(load);
        pairing->players_awaited = 2 * options->windows; /* names */
        pairing->rng = (uint64_t)options->seed * 1000003 + (uint64_t)i;
    }
    return true;
}

/* Names the players. Every run takes new names, because a server with a store remembers the old
 * ones. */
static void name_players(struct load *load)
{
    unsigned run = (unsigned)time(NULL) * 1024 + (unsigned)getpid();

    for (long i = 0; i < load->crowd.count; i++) {
        struct peer *peer = &load->peers[i];
        peer->wire = &load->crowd.wires[i];
        peer->pairing = &load->pairings[i / peers_each(load)];
        if (i % peers_each(load) >= 2)
            continue;
        snprintf(peer->name, sizeof peer->name, "load-%08x-%d", run, (int)i);
        peer_say(peer, "hello", peer->name);
    }
}

static void gather(struct load *load)
{
    struct cause cause;

    if (!crowd_connect(&load->crowd, load->options->address, load->options->websocket,
                       load->pairing_count * peers_each(load), peers_each(load), &cause))
        load_fail(load, "%s", cause.text);
    else
        name_players(load);
    while (!load->failed && load->ready < load->pairing_count)
        turn(load);
}

static void read_server_cpu(struct load *load, int64_t *cpu_ns)
{
    *cpu_ns = 0;
    if (load->options->pid > 0 && !process_cpu_ns(load->options->pid, cpu_ns))
        load_fail(load, "--pid %ld: there is no such process", load->options->pid);
}

static void play_all(struct load *load)
{
    const struct load_options *options = load->options;
    int64_t started_ns = clock_ns();

    load->playing = true;
    for (long i = 0; i < load->pairing_count; i++)
        pairing_go_on(&load->pairings[i]);
    while (!load->failed && load->resting < load->pairing_count) {
        turn(load);
        if (options->seconds > 0 &&
            clock_ns() - started_ns >= options->seconds * INT64_C(1000000000))
            load->stopping = true;
    }
    load->result->took_ns = clock_ns() - started_ns;
}

/* Plays from the first move to the last. */
static void play(struct load *load)
{
    const struct load_options *options = load->options;
    struct load_result *result = load->result;
    int64_t before_ns, after_ns, own_ns = own_cpu_ns();
    int64_t before_bytes = crowd_received_bytes(&load->crowd);

    read_server_cpu(load, &before_ns);
    play_all(load);
    read_server_cpu(load, &after_ns);
    result->server_cpu_ns = after_ns - before_ns;
    result->own_cpu_ns = own_cpu_ns() - own_ns;
    result->received_bytes = crowd_received_bytes(&load->crowd) - before_bytes;
    if (options->pid > 0 && !process_resident_bytes(options->pid, &result->server_resident_bytes))
        load_fail(load, "--pid %ld: its memory cannot be read", options->pid);
}

void load_play(const struct load_options *options, struct load_result *result)
{
    struct load load = {.options = options, .result = result, .crowd = {.epoll_fd = -1}};

    *result = (struct load_result){0};
    if (allocate(&load))
        gather(&load);
    if (!load.failed)
        play(&load);
    crowd_close(&load.crowd);
    free(load.peers);
    free(load.pairings);
    free(load.bouts);
    samples_sort(&result->players);
    samples_sort(&result->watchers);
}

void load_release(struct load_result *result)
{
    samples_release(&result->players);
    samples_release(&result->watchers);
}
