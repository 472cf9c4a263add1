#include "clock.h"

#include <string.h>

enum { DIGITS_MAX = 9 }; /* of whole seconds: far beyond every range, far below an overflow */

/* Reads seconds such as 300 or 0.25 as milliseconds and moves *text behind them. */
static bool read_seconds(const char **text, int64_t *ms)
{
    const char *at = *text;
    size_t whole = strspn(at, "0123456789"), part = 0;
    int64_t value = 0;

    if (whole == 0 || whole > DIGITS_MAX)
        return false;
    for (size_t i = 0; i < whole; i++)
        value = value * 10 + (*at++ - '0');
    if (*at == '.') {
        part = strspn(++at, "0123456789");
        if (part == 0 || part > 3)
            return false;
    }
    for (size_t i = 0; i < 3; i++)
        value = value * 10 + (i < part ? *at++ - '0' : 0);
    *text = at;
    *ms = value;
    return true;
}

bool clock_parse(const char *text, struct clock *clock, struct cause *cause)
{
    const char *at = text;
    int64_t base_ms, increment_ms = 0;

    bool read = read_seconds(&at, &base_ms);
    if (read && *at == '+') {
        at++;
        read = read_seconds(&at, &increment_ms);
    }
    if (!read || *at != '\0')
        return cause_set(cause,
                         "clock= is BASE or BASE+INC in seconds with up to three decimals, such "
                         "as 300+5, not '%.32s'",
                         text);
    if (base_ms < CLOCK_BASE_MIN_MS || base_ms > CLOCK_BASE_MAX_MS)
        return cause_set(cause, "the time of a clock is 0.1 to %d seconds",
                         CLOCK_BASE_MAX_MS / 1000);
    if (increment_ms > CLOCK_INCREMENT_MAX_MS)
        return cause_set(cause, "the increment of a clock is 0 to %d seconds",
                         CLOCK_INCREMENT_MAX_MS / 1000);
    *clock = (struct clock){
        .base_ms = base_ms, .increment_ms = increment_ms, .left_ms = {base_ms, base_ms}};
    return true;
}

struct clock clock_fresh(const struct clock *clock)
{
    return (struct clock){.base_ms = clock->base_ms,
                          .increment_ms = clock->increment_ms,
                          .left_ms = {clock->base_ms, clock->base_ms}};
}

int64_t clock_left_ms(const struct clock *clock, enum color side, int64_t now_ms)
{
    int64_t left_ms = clock->left_ms[side];

    if (clock->runs && clock->side == side) {
        int64_t charged_ms = now_ms - clock->since_ms - clock->lag_ms;
        left_ms -= charged_ms > 0 ? charged_ms : 0;
    }
    return left_ms > 0 ? left_ms : 0;
}

int64_t clock_flag_ms(const struct clock *clock)
{
    if (!clock->runs)
        return INT64_MAX;
    return clock->since_ms + clock->left_ms[clock->side] + clock->lag_ms;
}

void clock_run(struct clock *clock, enum color side, int64_t now_ms)
{
    clock->runs = true;
    clock->side = (uint8_t)side;
    clock->since_ms = now_ms;
    clock->lag_ms = 0;
}

void clock_stop(struct clock *clock, int64_t now_ms)
{
    if (!clock->runs)
        return;
    clock->left_ms[clock->side] = clock_left_ms(clock, clock->side, now_ms);
    clock->runs = false;
}

void clock_reward(struct clock *clock, enum color side)
{
    clock->left_ms[side] += clock->increment_ms;
}

void clock_unreward(struct clock *clock, enum color side)
{
    int64_t least_ms =
        clock->left_ms[side] < CLOCK_LEAST_MS ? clock->left_ms[side] : CLOCK_LEAST_MS;

    clock->left_ms[side] -= clock->increment_ms;
    if (clock->left_ms[side] < least_ms)
        clock->left_ms[side] = least_ms;
}

void clock_forgive(struct clock *clock, int64_t lag_ms)
{
    if (lag_ms < 0)
        lag_ms = 0;
    clock->lag_ms = lag_ms < CLOCK_LAG_MAX_MS ? lag_ms : CLOCK_LAG_MAX_MS;
}
