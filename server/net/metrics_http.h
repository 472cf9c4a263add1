/*
 * The numbers of metrics.h over HTTP: GET /metrics on a port of loopback, for whatever runs on this
 * machine. One answer a connection. libevent's own evhttp could do it, but is left out for the sake
 * of the bugs that have been found in it.
 */
#ifndef LUDUS_METRICS_HTTP_H
#define LUDUS_METRICS_HTTP_H

#include <stddef.h>

#include "common/cause.h"
#include "loop.h"

struct metrics_http;

/* Answers on 127.0.0.1, on that port (0: any free one), while the loop runs; the address goes into
 * bound[size]. Loop and server are borrowed. NULL with the cause. */
struct metrics_http *metrics_http_open(struct loop *loop, struct server *server, int port,
                                       char *bound, size_t size, struct cause *cause);

/* Ends it: before the loop is freed. NULL is allowed. */
void metrics_http_close(struct metrics_http *http);

#endif
