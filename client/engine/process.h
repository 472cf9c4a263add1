/*
 * An engine: a child process that exchanges lines with us over its standard input and output. This
 * file does not know what the lines mean.
 *
 * An engine cannot hold up the program that runs it. Its output is read without waiting, at most
 * PROCESS_BUFFER bytes at a time; longer lines are dropped; and an engine that does not read a line
 * at once counts as one that does not read.
 *
 * All engines are in one list, whose owner polls `out` and reaps them. A driver borrows an engine
 * until it calls process_quit() or process_kill().
 */
#ifndef LUDUS_ENGINE_PROCESS_H
#define LUDUS_ENGINE_PROCESS_H

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "client/link/clock_ms.h"
#include "common/cause.h"
#include "trace.h"

enum {
    PROCESS_BUFFER = 16384,  /* bytes; also of the longest line read, with its end */
    PROCESS_LINE_MAX = 9216, /* bytes of a line to the engine, with its end */
    PROCESS_ERRORS_MAX = 512,
    PROCESS_MATCH_MAX = 48,
    QUIT_WAIT_MS = 1000 /* from `quit` to SIGKILL */
};

struct process {
    pid_t pid;   /* also the id of its process group */
    int in, out; /* the engine's standard input and output; -1: closed */
    int err;     /* its standard error; -1: closed, or dropped */
    bool failed; /* its owner says so; for the trace */
    struct trace trace;
    char match[PROCESS_MATCH_MAX]; /* which match it plays in, for logs */
    bool ready;                    /* there is output, or its end, by poll(); not read yet */
    bool leaving;                  /* let go of, and told to quit */
    int64_t kill_ms;               /* leaving: when to kill it; INT64_MAX: done */
    uint64_t unanswered;           /* bytes of output since the last line to it */
    bool discarding;               /* dropping the rest of an overlong line */
    size_t used, taken; /* bytes in the buffer, and how many of them were taken as lines */
    TAILQ_ENTRY(process) link;
    char buffer[PROCESS_BUFFER];
    size_t errors_used; /* bytes in errors[]: the beginning of a line */
    char errors[PROCESS_ERRORS_MAX];
};
TAILQ_HEAD(process_list, process);

/* Finds another program of Ludus: in the directory of this one, or else its name, for PATH. */
void process_find(const char *name, char path[PATH_MAX]);

/* How to start an engine. Everything is borrowed. */
struct process_setup {
    char *const *command; /* NULL-terminated, searched in PATH */
    const char *match;    /* which match it will play in */
    struct trace_plan trace;
    bool quiet; /* its standard error is dropped, unless there is a trace */
};

/* Starts an engine in a process group of its own, and adds it to the list. Returns NULL with the
 * cause if it cannot be run. */
struct process *process_start(struct process_list *engines, const struct process_setup *setup,
                              struct cause *cause);

/* Sends one line, formatted as by vprintf(), and its end. Returns false with the cause if the
 * engine does not read or has ended, or the line is too long. */
bool process_vsend(struct process *engine, struct cause *cause, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* Reads what has arrived, once. Call it when all lines have been taken. Returns false at the end of
 * the output. */
bool process_read(struct process *engine);

/* Reads what has arrived at its standard error, once, and logs the lines with the match; long ones
 * in parts. */
void process_read_errors(struct process *engine, bool quiet);

/* The next line without its end, valid until process_read(), or NULL. */
char *process_next_line(struct process *engine);

/* Lets go of an engine: tells it to quit, and has it killed if it does not. */
void process_quit(struct process *engine, int64_t now_ms);

/* Lets go of an engine and kills it, with all processes of its group. */
void process_kill(struct process *engine);

/* Carries on ending a leaving engine: drops its output, and kills it when its time is up. Returns
 * true once it has been reaped, taken off the list and freed. Logs that unless quiet. */
bool process_reap(struct process_list *engines, struct process *engine, int64_t now_ms, bool quiet);

enum log_level { LOG_INFO, LOG_WARN };

/* Writes one line, but no LOG_INFO if quiet: the words of `format`, then `text` in quotes unless it
 * is NULL. With a text, the words end in its key, as in "match=%s resigned why=". Pass whatever an
 * engine or server said as `text`, which is cleaned; no word may contain spaces or quotes. */
void engine_log(bool quiet, enum log_level level, const char *text, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
