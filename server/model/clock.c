#include "clock.h"

bool clock_parse(const char *text, struct clock *clock, struct cause *cause)
{
    struct time_control control;

    if (!time_control_parse(text, &control, cause))
        return false;
    *clock = clock_fresh(
        &(struct clock){.base_ms = control.base_ms, .increment_ms = control.increment_ms});
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
