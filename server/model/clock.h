/*
 * The clock of a match, with Fischer increment: each side has a time for all its moves, and every
 * move adds to it. A plain value, copied with `=`.
 *
 * It never reads the time: now_ms is milliseconds of any monotonic clock. The match decides whose
 * time runs, and the caller of clock_forgive() how much network lag is not charged.
 */
#ifndef LUDUS_CLOCK_H
#define LUDUS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/game.h"
#include "common/text.h"
#include "common/time_control.h"

enum {
    CLOCK_LAG_MAX_MS = 100, /* forgiven in one move */
    CLOCK_LEAST_MS = 1000   /* a take-back leaves this, or the time that was left if less */
};

/* All zero: no clock. */
struct clock {
    int64_t base_ms; /* TIME_BASE_MIN_MS to TIME_BASE_MAX_MS; 0: there is no clock */
    int64_t increment_ms;
    int64_t left_ms[2]; /* by colour; for the side whose time runs, as of since_ms */
    bool runs;
    uint8_t side;     /* whose time runs, */
    int64_t since_ms; /* since when, */
    int64_t lag_ms;   /* and how much of it is not charged; 0 to CLOCK_LAG_MAX_MS */
};

/* Parses a time control (time_control.h) into the clock before the first move. False with the
 * cause, *clock unchanged, if it is invalid or out of range. */
bool clock_parse(const char *text, struct clock *clock, struct cause *cause);

/* Returns the clock as it is before the first move. */
struct clock clock_fresh(const struct clock *clock);

/* Returns the time that a side has left, never below 0. */
int64_t clock_left_ms(const struct clock *clock, enum color side, int64_t now_ms);

/* Returns when the flag falls; INT64_MAX if the clock is stopped. */
int64_t clock_flag_ms(const struct clock *clock);

/* Starts the stopped clock for a side, without lag. */
void clock_run(struct clock *clock, enum color side, int64_t now_ms);

/* Stops the clock and charges the side whose time ran, if one did. */
void clock_stop(struct clock *clock, int64_t now_ms);

/* Takes one increment back from a side, but leaves it CLOCK_LEAST_MS. */
void clock_unreward(struct clock *clock, enum color side);

/* Sets how much of the running turn is not charged, clamped to 0..CLOCK_LAG_MAX_MS. */
void clock_forgive(struct clock *clock, int64_t lag_ms);

#endif
