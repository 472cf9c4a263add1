/*
 * The state of the server as numbers, in Prometheus' text format
 * (https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4). Names nobody and
 * no match.
 */
#ifndef LUDUS_METRICS_H
#define LUDUS_METRICS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/buffer.h"
#include "server.h"

/* The media type of the text. */
#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* Writes what is wrong, a line each, or "ok". False if changes are not kept. */
bool metrics_write_health(struct buffer *text, const struct server *server);

/* Writes all metrics; `pending_bytes` are those that peers have not read yet. */
void metrics_write(struct buffer *text, const struct server *server, size_t pending_bytes);

#endif
