/*
 * The log of what an engine reads and writes, a file for each process: lines of the milliseconds
 * since it started, a mark (> to the engine, < from it, ! its standard error), and the text.
 */
#ifndef LUDUS_TRACE_H
#define LUDUS_TRACE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/cause.h"

/* The option --engine-log. */
struct trace_plan {
    const char *path; /* NULL: no log */
    bool only_failed; /* the logs of the others are deleted */
    bool is_optional; /* an engine whose log cannot be opened runs without */
};

struct trace {
    FILE *file; /* owned; NULL: none */
    bool only_failed;
    int64_t begun_ms;
    long start; /* bytes that were in the file before */
    char path[PATH_MAX];
};

/* Reads the value of the option, which is borrowed: FILE, failed:FILE, or failed, whose files are
 * called engine-log. */
void trace_plan_read(struct trace_plan *plan, const char *value);

/* Opens PATH.NAME, and appends to a file that is there. False with the cause; without a path there
 * is nothing to do. */
bool trace_open(struct trace *trace, const struct trace_plan *plan, const char *name,
                int64_t now_ms, struct cause *cause);

/* Adds the lines of a text. */
void trace_add(struct trace *trace, char mark, const char *text);

/* Closes the log, and takes out what it added if only failures are wanted: an empty one is deleted.
 */
void trace_close(struct trace *trace, bool failed);

#endif
