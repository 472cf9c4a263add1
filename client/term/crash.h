/*
 * The terminal, given back when the program crashes or is killed by a signal that it has no time
 * to handle. There is one terminal, and one program on it at a time.
 */
#ifndef LUDUS_CRASH_H
#define LUDUS_CRASH_H

#include <stddef.h>
#include <termios.h>

enum { CRASH_TEXT_MAX = 256 };

/* From now on a deadly signal writes the text (copied, at most CRASH_TEXT_MAX bytes) to the
 * terminal and sets its modes, before it kills. */
void crash_arm(const char *text, size_t bytes, const struct termios *modes);

/* From now on it only kills. */
void crash_disarm(void);

#endif
