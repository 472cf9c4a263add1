/* Clocks as text. */
#ifndef LUDUS_CLOCK_TEXT_H
#define LUDUS_CLOCK_TEXT_H

#include "client/link/match_state.h"

enum { CLOCK_TEXT_MAX = 24, CLOCK_LINE_MAX = 128 }; /* bytes with the final NUL */

/* Writes "4:32", below 20 s with tenths "0:19.9", from an hour on "1:04:32"; rounded down. */
void clock_format(int64_t left_ms, char text[CLOCK_TEXT_MAX]);

/* Writes both clocks: "white 4:32, black 5:00 (running), +5 s a move". */
void clock_line(const struct match_clock *clock, int64_t now_ms, char line[CLOCK_LINE_MAX]);

/* Writes ", clock 300+5" for the `clock` {base_ms, increment_ms} of a match, "" for null, and
 * returns it. */
const char *clock_control(const cJSON *json, char text[CLOCK_LINE_MAX]);

#endif
