/*
 * The clock of a match, with Fischer's increment: each side has a time for all its moves, and
 * every move adds to it. A plain value, copied with `=`.
 *
 * It reads no time of its own: now_ms is milliseconds of any monotonic clock. The match says whose
 * time runs; who may be forgiven how much of it, is said from outside.
 */
#ifndef LUDUS_CLOCK_H
#define LUDUS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/cause.h"
#include "common/game.h"
#include "common/time_control.h"

enum {
    CLOCK_LAG_MAX_MS = 100, /* forgiven of one move */
    CLOCK_LEAST_MS = 1000   /* is left by a take-back, or what there was if that is less */
};

/* All zero: no clock. */
struct clock {
    int64_t base_ms; /* TIME_BASE_MIN_MS to TIME_BASE_MAX_MS; 0: there is no clock */
    int64_t increment_ms;
    int64_t left_ms[2]; /* by colour; of the side whose time runs as it was at since_ms */
    bool runs;          /* one side's time runs */
    uint8_t side;       /* whose, if so */
    int64_t since_ms;   /* since when, if so */
    int64_t lag_ms;     /* so much of what runs is not charged; 0 to CLOCK_LAG_MAX_MS */
};

/* Reads the clock of a match before its first move (time_control.h). False with the cause, *clock
 * unchanged, when it is no such text or out of range. */
bool clock_parse(const char *text, struct clock *clock, struct cause *cause);

/* The same clock as it is before the first move. */
struct clock clock_fresh(const struct clock *clock);

/* What the side has left, never below 0. */
int64_t clock_left_ms(const struct clock *clock, enum color side, int64_t now_ms);

/* When the flag of the side whose time runs falls; INT64_MAX when none runs. */
int64_t clock_flag_ms(const struct clock *clock);

/* The time of `side` runs from now on, without lag. The other side's must not be running. */
void clock_run(struct clock *clock, enum color side, int64_t now_ms);

/* Charges the side whose time runs, if one does, and stops. */
void clock_stop(struct clock *clock, int64_t now_ms);

/* Gives a side the increment. */
void clock_reward(struct clock *clock, enum color side);

/* Takes the increment of one move back from a side, as far as that leaves it CLOCK_LEAST_MS. */
void clock_unreward(struct clock *clock, enum color side);

/* Sets how much of the running turn is not charged, cut to 0 to CLOCK_LAG_MAX_MS. */
void clock_forgive(struct clock *clock, int64_t lag_ms);

#endif
