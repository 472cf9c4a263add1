/*
 * Connections that do nothing: what they cost a server in memory and processor time. Each says one
 * line first, so that it is surely there; a `ping` of the server is answered. With `matches`, so
 * many are opened on them, each by one connection that holds both seats, and wait for a first move.
 */
#ifndef LUDUS_LOAD_IDLE_H
#define LUDUS_LOAD_IDLE_H

#include <stdint.h>

#include "common/cause.h"

struct idle_options {
    const char *address; /* HOST:PORT */
    const char *game;    /* GAME[:VARIANT] of the matches */
    long connections;
    long matches; /* in all; 0: none */
    long seconds; /* of waiting */
    long pid;     /* of the server */
    bool named;   /* each takes a name; else it says `ping`, which bare.c answers, too */
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
