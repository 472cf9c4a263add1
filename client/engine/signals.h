/* Signals as something to poll. The one place with variables that change. */
#ifndef LUDUS_ENGINE_SIGNALS_H
#define LUDUS_ENGINE_SIGNALS_H

#include <stdbool.h>

/* Ignores SIGPIPE, and from now on notes SIGTERM, SIGINT and SIGCHLD. Returns a descriptor that
 * is readable after each of them, or -1. */
int signals_open(void);

/* Makes the descriptor wait for the next signal. */
void signals_clear(int fd);

/* Whether SIGTERM or SIGINT has come. */
bool signals_ask_to_end(void);

#endif
