/*
 * The clocks of a match as the server told them, and as they stand since. It knows the JSON of
 * `clock`; the time comes in as now_ms of any monotonic clock.
 */
#ifndef LUDUS_CLOCK_VIEW_H
#define LUDUS_CLOCK_VIEW_H

#include <cjson/cJSON.h>

#include "common/game.h"

enum { CLOCK_TEXT_MAX = 24, CLOCK_LINE_MAX = 128 }; /* bytes with the final NUL */

struct clock_view {
    bool known;         /* the match has a clock; without it nothing below counts */
    int64_t left_ms[2]; /* at told_ms */
    int64_t increment_ms;
    bool runs; /* ... for the side `running` */
    enum color running;
    int64_t told_ms;
};

/* Reads the `clock` of a state; null, or what makes no sense, is no clock. */
void clock_read(struct clock_view *clock, const cJSON *json, int64_t now_ms);

/* What a side has left now, at least 0. */
int64_t clock_left_ms(const struct clock_view *clock, enum color color, int64_t now_ms);

/* Writes "4:32", below 20 s with tenths "0:19.9", from an hour on "1:04:32"; cut, not rounded. */
void clock_format(int64_t left_ms, char text[CLOCK_TEXT_MAX]);

/* Writes both clocks in one line: "white 4:32, black 5:00 (running), +5 s a move". */
void clock_line(const struct clock_view *clock, int64_t now_ms, char line[CLOCK_LINE_MAX]);

/* Writes ", clock 300+5" for the `clock` {base_ms, increment_ms} of a match to come, "" for null,
 * and returns it. */
const char *clock_control(const cJSON *json, char text[CLOCK_LINE_MAX]);

#endif
