/*
 * Restores the terminal when a signal or a lack of memory ends the program. There is one terminal,
 * and one program on it at a time.
 */
#ifndef LUDUS_CRASH_H
#define LUDUS_CRASH_H

#include <stddef.h>
#include <termios.h>

enum { CRASH_TEXT_MAX = 256 };

/* From now on a deadly signal, or the end of memory, first writes the text (copied, at most
 * CRASH_TEXT_MAX bytes) to the terminal and sets its modes. */
void crash_arm(const char *text, size_t bytes, const struct termios *modes);

/* Undoes crash_arm(). */
void crash_disarm(void);

#endif
