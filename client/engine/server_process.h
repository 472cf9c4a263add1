/*
 * A ludusd as a child of this process, which it does not outlive.
 */
#ifndef LUDUS_SERVER_PROCESS_H
#define LUDUS_SERVER_PROCESS_H

#include <sys/types.h>

#include "common/text.h"

enum {
    SERVER_STORE_LOCKED = 3
}; /* its exit status when another server uses the store (man page) */

/* Starts words[0], searched in PATH, in a process group of its own: Ctrl-C at the terminal is for
 * this program. `log` takes its standard error; NULL: that goes where ours goes. It reports to the
 * socket `notify` as systemd has it; NULL: to none. Returns the process, and the end of the pipe
 * from its standard output, which the caller owns; 0 with the cause. */
pid_t server_process_start(const char *const words[], const char *log, const char *notify,
                           int *output, struct cause *cause);

/* Ends it by SIGTERM, by SIGKILL after so long, and closes the pipe. Returns its exit status, -1
 * for none. */
int server_process_end(pid_t pid, int output, int wait_ms);

#endif
