/*
 * Request and reply: each connection sends `pipeline` lines together, waits for as many lines, and
 * repeats. It works with every server that answers a line with a line: `ping` to ludusd, bare.c,
 * PING to redis-server.
 */
#ifndef LUDUS_LOAD_ECHO_H
#define LUDUS_LOAD_ECHO_H

#include <stdint.h>

#include "common/text.h"
#include "load_samples.h"

enum { ECHO_LINE_MAX = 1024, ECHO_PIPELINE_MAX = 64 };

struct echo_options {
    const char *address; /* HOST:PORT */
    bool websocket;
    const char *line; /* without its end */
    long connections;
    long pipeline; /* lines sent together, at least 1 */
    long seconds;  /* 0: until all lines are answered */
    long lines;    /* about this many in all; 0: until the time is up */
    long pid;      /* of the server; 0: unknown */
};

/* The result, without connecting and the first answer to each connection. */
struct echo_result {
    int64_t lines; /* answered */
    int64_t took_ns;
    int64_t server_cpu_ns; /* 0 without a pid */
    int64_t own_cpu_ns;
    int64_t received_bytes;
    struct samples answers; /* from sending the lines until all of them are answered */
};

/* Returns false with the cause. Release the result with echo_release() in any case. */
bool load_echo(const struct echo_options *options, struct echo_result *result, struct cause *cause);
void echo_release(struct echo_result *result);

#endif
