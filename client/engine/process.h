/*
 * An engine: a child process that exchanges lines with us over its standard input and output. This
 * file does not know what the lines mean.
 *
 * An engine cannot hold up the program that runs it. Its output is read without waiting, at most
 * PROCESS_BUFFER bytes at a time; longer lines are dropped; and an engine that does not read a line
 * at once counts as one that does not read.
 *
 * All engines are in one list, whose owner polls `out` and reaps them: in most programs an
 * engine_loop. A driver borrows an engine until it calls process_quit() or process_kill().
 */
#ifndef LUDUS_ENGINE_PROCESS_H
#define LUDUS_ENGINE_PROCESS_H

#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "client/link/clock_ms.h"
#include "common/text.h"

/*
 * The log of what an engine reads and writes, a file for each process: lines of the milliseconds
 * since it started, a mark (> to the engine, < from it, ! its standard error), and the text. Where
 * it gets too long, a last line says that it is cut. This is the option --engine-log.
 */
struct trace_plan {
    const char *path; /* NULL: no log */
    bool only_failed; /* the logs of the others are deleted */
    bool is_optional; /* an engine whose log cannot be opened runs without */
};

struct trace {
    FILE *file; /* owned; NULL: none */
    bool only_failed;
    int64_t begun_ms;
    char *held; /* owned: the text, while there is no path yet, as no match has the engine */
    size_t held_bytes;
    long start;   /* bytes that were in the file before */
    size_t bytes; /* of texts that were added; more than LOGGED_MAX: it is cut */
    char path[PATH_MAX];
};

/* Reads the value of the option, which is borrowed: FILE, failed:FILE, or failed, whose files are
 * called engine-log. False with the cause where FILE is missing. */
bool trace_plan_read(struct trace_plan *plan, const char *value, struct cause *cause);

enum {
    PROCESS_BUFFER = 16384,  /* bytes; also of the longest line read, with its end */
    PROCESS_LINE_MAX = 9216, /* bytes of a line to the engine, with its end */
    PROCESS_ERRORS_MAX = 512,
    PROCESS_MATCH_MAX = 48,
    LOGGED_MAX = 1 << 20, /* bytes of a log of a match, and of standard error; then it is cut */
    QUIT_WAIT_MS = 1000   /* from `quit` to SIGKILL */
};

struct process {
    pid_t pid;   /* also the id of its process group */
    int in, out; /* the engine's standard input and output; -1: closed */
    int err;     /* its standard error; -1: closed, or dropped */
    bool failed; /* its owner says so; for the trace */
    struct trace trace;
    char match[PROCESS_MATCH_MAX]; /* which match it plays in, for logs */
    bool ready;                    /* there is output, or its end, by poll(); not read yet */
    bool exited;                   /* the process has ended; its output may go on */
    bool ended;                    /* ... and all that it wrote has been read */
    bool leaving;                  /* let go of, and told to quit */
    int64_t kill_ms;               /* leaving: when to kill it; INT64_MAX: done */
    uint64_t unanswered;           /* bytes of output since the last line to it */
    bool discarding;               /* dropping the rest of an overlong line */
    size_t used, taken; /* bytes in the buffer, and how many of them were taken as lines */
    TAILQ_ENTRY(process) link;
    char buffer[PROCESS_BUFFER];
    size_t errors_used;   /* bytes in errors[]: the beginning of a line */
    size_t errors_logged; /* bytes of standard error that were logged */
    char errors[PROCESS_ERRORS_MAX];
};
TAILQ_HEAD(process_list, process);

/* Splits a command into words in place, with quotes and backslashes as a shell has them; nothing is
 * expanded. The path of a file as a whole is one word. words[] takes count_max of them and a NULL.
 * False with the cause: a quote is not closed, there is no word, or there are too many. */
bool command_split(char *text, char *words[], int count_max, struct cause *cause);

/* Finds another program of Ludus: in the directory of this one, or else its name, for PATH. */
void process_find(const char *name, char path[PATH_MAX]);

/* How to start an engine. Everything is borrowed. */
struct process_setup {
    char *const *command; /* NULL-terminated, searched in PATH */
    const char *folder;   /* where it runs, and a relative path begins; NULL: where we do */
    const char *match;    /* which match it will play in; NULL: not known yet */
    struct trace_plan trace;
    long memory_mb; /* what each of its processes may take; 0: any amount */
    bool quiet;     /* its standard error is dropped, unless there is a trace */
};

/* Starts an engine in a process group of its own, and adds it to the list. Returns NULL with the
 * cause if it cannot be run. */
struct process *process_start(struct process_list *engines, const struct process_setup *setup,
                              struct cause *cause);

/* The engine plays in another match from now on: into the log of that one, within its limits. What
 * was logged before the first match comes with it. */
void process_enter(struct process *engine, const struct process_setup *setup);

/* Closes the log of the match that the engine has played in, which is over. */
void process_leave(struct process *engine);

/* The memory that the engine has for its data, in bytes; 0: not known. */
uint64_t process_memory(const struct process *engine);

/* Sends one line, formatted as by vprintf(), and its end. Returns false with the cause if the
 * engine does not read or has ended, or the line is too long. */
bool process_vsend(struct process *engine, struct cause *cause, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* Reads what has arrived, once. Call it when all lines have been taken. Returns false at the end of
 * the output. */
bool process_read(struct process *engine);

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
 * is NULL. With a text, the words end in its key, as in "match=%s lost why=". Pass whatever an
 * engine or server said as `text`, which is cleaned; no word may contain spaces or quotes. */
void engine_log(bool quiet, enum log_level level, const char *text, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/*
 * The poll() loop of a program that runs engines: it waits for signals, for the output of all
 * engines, and for one more descriptor.
 */
struct engine_loop {
    struct process_list engines;
    bool quiet;     /* see engine_log() */
    int64_t now_ms; /* when the last wait ended */
    int signal_fd;
    struct pollfd *entries; /* owned: what the last wait has polled */
};

/* Sets up the only loop of the program, and starts to note signals (stop_signal.h). False with
 * errno; close it even then. */
bool engine_loop_open(struct engine_loop *loop, bool quiet);

/* Carries on ending the engines that were let go, and logs what engines write to standard error.
 * Then waits for a signal, until fd (-1: none) or an engine is readable, or until due_ms
 * (INT64_MAX: no limit). Sets `ready` of each engine. Returns whether fd is readable. */
bool engine_loop_wait(struct engine_loop *loop, int fd, int64_t due_ms);

/* Whether SIGTERM or SIGINT has arrived. */
bool engine_loop_is_to_end(void);

/* Waits until the engines have ended, all of which must have been let go of. */
void engine_loop_close(struct engine_loop *loop);

#endif
