/*
 * A box: a program that nobody trusts, with everything that it starts. It reads its own folder and
 * what languages need of the system, writes in one folder, connects to one port by TCP, and is
 * ended when it takes more than it may. All of it ends with the box, and with this process.
 *
 *     this process ── the keeper of the box ── the program ── what that starts
 *
 * The keeper is the first process of a PID namespace: it takes in orphans, and everything is
 * killed when it ends. In a network of its own nothing can be reached but the one socket that the
 * keeper opens there and hands to us. Root gives each box a user of its own. Others give it a user
 * namespace; where the system has none for them, signals are kept in by Landlock, and the kernel
 * does not count its processes: box_watch() does.
 */
#ifndef LUDUS_COURSE_BOX_H
#define LUDUS_COURSE_BOX_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "client/course/course_folder.h"

/* What to run, and where. Everything is borrowed until box_start() returns. */
struct box_plan {
    char *const *command;     /* NULL-terminated, searched in the PATH of the environment */
    char *const *environment; /* all of it; NULL-terminated */
    const char *folder;       /* where it runs; it may read it */
    const char *work;         /* where it may write, too */
    const char *const *tools; /* further programs that it may run; NULL-terminated */
    int port;                 /* it may connect there; 0: nowhere */
    bool own_network;         /* it has a network of its own, where nobody but us listens */
    const char *groups;       /* where it gets a group of the kernel's (cgroup.h); NULL: none */
    const char *group_name;
    uid_t user; /* whose it is; only root may choose; 0: ours */
    struct course_limits limits;
};

enum box_end {
    BOX_RUNS,
    BOX_EXITED, /* by itself; `status` */
    BOX_TIME,   /* of the processor */
    BOX_MEMORY, /* and the others: it was killed, as it took too much */
    BOX_PROCESSES,
    BOX_OUTPUT,
    BOX_DISK
};

enum { BOX_LINE_MAX = 256, BOX_NAMELESS_MAX = 256 };

/* A file that has no name any more. */
struct box_file {
    dev_t device;
    ino_t inode;
};

struct box {
    pid_t keeper; /* 0: none */
    int output;   /* what it says; for poll() */
    FILE *log;    /* borrowed: takes what it says; may be NULL */
    /* own_network: the socket that listens at 127.0.0.1:port as the box sees it, which the caller
     * takes over; else -1. */
    int listener;
    char group[PATH_MAX]; /* "": none */
    struct course_limits limits;
    const char *work;                           /* borrowed */
    int64_t said;                               /* bytes of output */
    int64_t cpu_ms, memory_bytes, disk_bytes;   /* at the last look */
    int tasks;                                  /* processes, each of their threads counted */
    struct box_file nameless[BOX_NAMELESS_MAX]; /* open files without a name, at the last look */
    int nameless_count;
    enum box_end end;
    int status; /* BOX_EXITED: the exit status, or 128 and the number of a signal */
};

/* Starts a program, whose output goes to `log`. plan->work must live as long as the box. False with
 * the cause, also if it cannot be run. */
bool box_start(struct box *box, const struct box_plan *plan, FILE *log, struct cause *cause);

/* Reads what has been said, looks at what the box uses, and kills it if that is too much. Call it
 * some times a second, and when `output` is readable. Returns how it has ended, or BOX_RUNS; after
 * any other answer only box_kill() may be called. */
enum box_end box_watch(struct box *box);

/* Ends the box, with all in it. May be called again. */
void box_kill(struct box *box);

/* Whether boxes can have a network of their own on this machine. */
bool box_has_network(void);

/* Writes which of the limits this machine holds, with groups or without, as a line for people
 * without an end. */
void box_describe(char text[BOX_LINE_MAX], bool has_groups);

#endif
