/*
 * Serves the numbers of metrics.h over HTTP: GET /metrics on a port of loopback, one answer for
 * each connection. It does without libevent's evhttp, which has had many bugs.
 */
#ifndef LUDUS_METRICS_HTTP_H
#define LUDUS_METRICS_HTTP_H

#include "loop.h"

struct metrics_http;

/* Answers on 127.0.0.1:PORT while the loop runs; port 0 stands for any free one. Writes the address
 * into bound[]. Loop and server are borrowed. NULL with the cause. */
struct metrics_http *metrics_http_open(struct loop *loop, struct server *server, int port,
                                       char bound[ADDRESS_TEXT_MAX], struct cause *cause);

/* Stops answering. Call it before loop_free(). NULL is allowed. */
void metrics_http_close(struct metrics_http *http);

#endif
