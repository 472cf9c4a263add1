/*
 * Signals that end a program: SIGINT ends it now, SIGTERM once its matches are finished, and a
 * second one now. SIGHUP, when the terminal is closed, is as SIGTERM, however often it comes.
 */
#ifndef LUDUS_STOP_SIGNAL_H
#define LUDUS_STOP_SIGNAL_H

enum stop { STOP_NOT, STOP_SOON, STOP_NOW };

/* Starts to note SIGTERM, SIGINT, SIGHUP and SIGCHLD, and to ignore SIGPIPE, for the whole program.
 * Returns a descriptor that is readable after each signal noted; -1 with errno. */
int stop_signal_watch(void);

/* Makes the descriptor wait for the next signal. */
void stop_signal_read(int fd);

/* Returns what the signals so far ask for. */
enum stop stop_signal_wanted(void);

#endif
