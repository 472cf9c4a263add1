/*
 * Idle connections: their cost to the server in memory and processor time. Each sends one line
 * first, so that the server has surely accepted it, and answers pings. With `matches`, the
 * connections open that many matches, each holding both seats, and never move.
 */
#ifndef LUDUS_LOAD_IDLE_H
#define LUDUS_LOAD_IDLE_H

#include <stdint.h>

#include "common/text.h"

struct idle_options {
    const char *address; /* HOST:PORT */
    bool websocket;
    const char *game; /* GAME[:VARIANT] of the matches */
    long connections;
    long matches; /* in all; 0: no matches */
    long seconds; /* of waiting */
    long pid;     /* of the server */
    bool named;   /* each takes a name; otherwise it sends `ping`, which bare.c answers, too */
};

struct idle_result {
    int64_t before_bytes;           /* resident in the server without the connections, */
    int64_t connected_bytes;        /* with them, */
    int64_t matches_bytes;          /* and with the matches */
    int64_t server_cpu_ns, took_ns; /* of the waiting */
};

/* False with the cause. */
bool load_idle(const struct idle_options *options, struct idle_result *result, struct cause *cause);

#endif
