/*
 * The terminal in full screen: taken, lent while the program is suspended, and restored, also when
 * a signal kills the program.
 */
#ifndef LUDUS_SCREEN_TERMINAL_H
#define LUDUS_SCREEN_TERMINAL_H

#include <stdbool.h>

/* Whether both ends are a terminal that can be drawn on. */
bool terminal_fits(void);

/* Takes a terminal that fits. False, with nothing changed, when that is impossible. */
bool terminal_open(void);
/* Restores the terminal. Does nothing the second time. */
void terminal_close(void);

/* Lend the terminal to the shell, and take it again. */
void terminal_lend(void);
void terminal_take(void);

/* Sets the title of the window, where the terminal has one. The title from before comes back when
 * the terminal is lent or closed. */
void terminal_title(const char *title);

/* Reads the new size. */
void terminal_resize(void);

#endif
