/*
 * A child that does one thing beside the server, with nothing of the server's open but the log: if
 * what it does takes long, or ends the process, the server does not notice. It has the rights of
 * the server and lives no longer.
 */
#ifndef LUDUS_SIDE_PROCESS_H
#define LUDUS_SIDE_PROCESS_H

#include <sys/types.h>

/* Runs the function in a new process, which ends when it returns. The process id; -1 when there can
 * be none. Not to be called where there are threads. */
pid_t side_process_start(const char *name, void (*run)(void *context), void *context);

/* Ends it, at once, and waits until it is gone; pid as above. */
void side_process_end(pid_t pid);

#endif
