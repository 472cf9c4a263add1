/*
 * The terminal in full screen: taken, given back, lent while the program is stopped, and given
 * back even when the program crashes or is killed by a signal that it has no time to handle.
 */
#ifndef LUDUS_SCREEN_TERMINAL_H
#define LUDUS_SCREEN_TERMINAL_H

#include <stdbool.h>

/* Whether there is a terminal at both ends, and of a kind that can be drawn on. */
bool terminal_fits(void);

/* Takes the terminal. False, with nothing changed, when that is not possible. */
bool terminal_open(void);
/* Gives it back as it was. May be called again. */
void terminal_close(void);

/* Lends it to the shell, and takes it again. */
void terminal_lend(void);
void terminal_take(void);

/* Reads the size anew. */
void terminal_resize(void);

#endif
