/*
 * Lines and their answers: each connection sends a line, waits for one line of answer, and sends
 * the next; with `pipeline` so many lines together, and waits for as many. It works with every
 * server that answers a line with a line: `ping` here, bare.c, PING at redis-server.
 */
#ifndef LUDUS_LOAD_ECHO_H
#define LUDUS_LOAD_ECHO_H

#include <stdint.h>

#include "common/cause.h"
#include "load_samples.h"

enum { ECHO_LINE_MAX = 1024, ECHO_PIPELINE_MAX = 64 };

struct echo_options {
    const char *address; /* HOST:PORT */
    const char *line;    /* without its end */
    long connections;
    long pipeline; /* lines sent together, at least 1 */
    long seconds;  /* 0: until the lines are answered */
    long lines;    /* about so many in all; 0: until the time is up */
    long pid;      /* of the server; 0: not known */
};

/* What came of it, without the connecting and a first answer to every connection. */
struct echo_result {
    int64_t lines; /* answered */
    int64_t took_ns;
    int64_t server_cpu_ns; /* 0 without a pid */
    int64_t own_cpu_ns;
    int64_t received_bytes;
    struct samples answers; /* from sending the lines until all of them are answered */
};

/* False with the cause; the result is released with echo_release() in any case. */
bool load_echo(const struct echo_options *options, struct echo_result *result, struct cause *cause);
void echo_release(struct echo_result *result);

#endif
