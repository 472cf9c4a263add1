/* Signals as a descriptor to poll. Handlers need the only mutable globals here. */
#ifndef LUDUS_ENGINE_SIGNALS_H
#define LUDUS_ENGINE_SIGNALS_H

#include <stdbool.h>

/* Ignores SIGPIPE, and starts to note SIGTERM, SIGINT and SIGCHLD. Returns a descriptor that
 * becomes readable after each of them, or -1 with errno. */
int signals_open(void);

/* Makes the descriptor unreadable until the next signal. */
void signals_clear(int fd);

/* Whether SIGTERM or SIGINT has arrived. */
bool signals_ask_to_end(void);

#endif
