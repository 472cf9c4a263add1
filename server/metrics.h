/*
 * The state of the server as numbers, in Prometheus' text format
 * (https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4). Names nobody and
 * no match.
 */
#ifndef LUDUS_METRICS_H
#define LUDUS_METRICS_H

#include <stddef.h>

#include "server.h"

/* The media type of the text. */
#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* The text, to be freed by the caller, and its length; `pending_bytes` wait for peers to be read.
 * NULL when memory ran out. */
char *metrics_text(const struct server *server, size_t pending_bytes, size_t *length);

#endif
