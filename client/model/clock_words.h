/* Clocks as players say them: minutes for all moves + seconds added by each, "5 + 3". The protocol
 * has both in seconds, "300+3". */
#ifndef LUDUS_CLOCK_WORDS_H
#define LUDUS_CLOCK_WORDS_H

#include <stdint.h>

#include "common/time_control.h"

enum { CLOCK_WORDS_MAX = 64 }; /* bytes with the final NUL */

/* Reads "5 + 3", "5+3", "5" or "1:30 + 0" and writes the clock for the protocol. False with the
 * cause. */
bool clock_words_read(const char *text, char clock[CLOCK_WORDS_MAX], struct cause *cause);

/* Writes the words: "5 + 3", or "1:30 + 0" where the minutes are not whole. */
void clock_words_write(int64_t base_ms, int64_t increment_ms, char text[CLOCK_WORDS_MAX]);

#endif
