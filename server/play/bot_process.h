/* Starts ludus-bot as a child process. */
#ifndef LUDUS_BOT_PROCESS_H
#define LUDUS_BOT_PROCESS_H

#include <sys/types.h>

/* Starts the program arguments[0] (a path; the list ends with NULL) in a process group of its own,
 * with these as standard input and output; output -1: the server's own. It gets the environment
 * without what is for libpq, such as a password. Returns 0 with *pid, or an errno with *pid 0. */
int bot_process_start(pid_t *pid, char *const arguments[], int input, int output);

#endif
