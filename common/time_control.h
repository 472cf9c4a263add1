/*
 * The time control of a match: the time each side has for all its moves, and what every move adds
 * (Fischer's increment). People write BASE or BASE+INC in seconds, such as 300+5 or 0.5.
 */
#ifndef LUDUS_TIME_CONTROL_H
#define LUDUS_TIME_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "text.h"

enum {
    TIME_BASE_MIN_MS = 100,
    TIME_BASE_MAX_MS = 86400 * 1000,
    TIME_INCREMENT_MAX_MS = 86400 * 1000
};

struct time_control {
    int64_t base_ms;      /* TIME_BASE_MIN_MS to TIME_BASE_MAX_MS */
    int64_t increment_ms; /* 0 to TIME_INCREMENT_MAX_MS */
};

/* Reads BASE or BASE+INC. Returns false with the cause, *control unchanged, for any other text and
 * for times out of range. */
bool time_control_parse(const char *text, struct time_control *control, struct cause *cause);

/* Reads BASE or BASE+INC of any size. Returns false, with *control undefined, for any other text.
 */
bool time_control_read(const char *text, struct time_control *control);

/* Reads seconds with up to three decimals, such as 300 or 0.25, as milliseconds, and moves *text
 * past them. Returns false for any other text. */
bool seconds_read(const char **text, int64_t *ms);

#endif
