/*
 * An engine: a child process that is talked to in lines over its standard input and output. This
 * file knows nothing of what the lines mean.
 *
 * What an engine does cannot hold up the program that runs it: its output is read without waiting,
 * at most PROCESS_BUFFER bytes at a time, lines that are longer are dropped, and what it does not
 * read at once from its input counts as not read at all.
 *
 * All engines are in one list, whose owner polls `out`, and frees those that are gone. Whoever
 * talks with an engine borrows it until he lets go of it with process_quit() or process_kill().
 */
#ifndef LUDUS_ENGINE_PROCESS_H
#define LUDUS_ENGINE_PROCESS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "common/cause.h"
#include "traffic_log.h"

enum {
    PROCESS_BUFFER = 16384,  /* also the longest line taken, with its end */
    PROCESS_LINE_MAX = 9216, /* of a line to the engine, with its end */
    QUIT_WAIT_MS = 1000      /* from `quit` to SIGKILL */
};

struct process {
    pid_t pid;           /* also the id of its process group */
    int in, out;         /* the engine's standard input and output; -1: closed */
    bool ready;          /* poll() says that there is output, or its end */
    bool leaving;        /* nobody talks with it any more: it has been told to quit */
    int64_t kill_ms;     /* leaving: when it is killed; INT64_MAX: it was */
    uint64_t unanswered; /* bytes of output since the last line to it */
    bool discarding;     /* dropping the rest of an overlong line */
    size_t used, taken;  /* bytes in the buffer, and those of them that were taken as lines */
    TAILQ_ENTRY(process) link;
    char buffer[PROCESS_BUFFER];
};
TAILQ_HEAD(process_list, process);

/* Starts `command` (NULL-terminated, looked up in PATH), in a process group of its own, and adds
 * it to the list. Its standard error is our own, or /dev/null if quiet. NULL with the
 * cause when it cannot be run. */
struct process *process_start(struct process_list *engines, char *const command[], bool quiet,
                              struct cause *cause);

/* Sends one line, formatted as by vprintf(); the end is added. False with the cause when the
 * engine does not read, has ended, or the line is too long. */
bool process_vsend(struct process *engine, struct cause *cause, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* Reads what has arrived, once; to be called when all lines have been taken. False at the end of
 * the output. */
bool process_read(struct process *engine);

/* The next line, without its end; it lasts until process_read(). NULL when there is none. */
char *process_next_line(struct process *engine);

/* Lets go of an engine in peace: it is told to quit, and killed if it does not. */
void process_quit(struct process *engine, int64_t now_ms);

/* Lets go of an engine and kills it, with all processes that it has started. */
void process_kill(struct process *engine);

/* Goes on with the end of an engine that is leaving: drops its output, kills it in due time.
 * True when it is gone: it has been reaped, taken off the list and freed. */
bool process_reap(struct process_list *engines, struct process *engine, int64_t now_ms,
                  const struct log *log);

#endif
