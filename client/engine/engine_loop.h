/*
 * The poll() loop of a program that runs engines: it waits for signals, for the output of all
 * engines, and for one more descriptor.
 */
#ifndef LUDUS_ENGINE_LOOP_H
#define LUDUS_ENGINE_LOOP_H

#include <poll.h>

#include "process.h"

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
 * Then waits for a signal, until fd (-1: none) or an engine is readable, or until due_ms (INT64_MAX:
 * no limit). Sets `ready` of each engine. Returns whether fd is readable. */
bool engine_loop_wait(struct engine_loop *loop, int fd, int64_t due_ms);

/* Whether SIGTERM or SIGINT has arrived. */
bool engine_loop_is_to_end(void);

/* Waits until the engines have ended, all of which must have been let go of. */
void engine_loop_close(struct engine_loop *loop);

#endif
