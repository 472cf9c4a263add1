#include "clock_text.h"

#include <stdio.h>

#include "client/link/json_read.h"

enum { TENTHS_BELOW_MS = 20000, HOUR_MS = 3600000 };

void clock_format(int64_t left_ms, char text[CLOCK_TEXT_MAX])
{
    long long minutes = left_ms / 60000 % 60, seconds = left_ms / 1000 % 60;

    if (left_ms < TENTHS_BELOW_MS)
        snprintf(text, CLOCK_TEXT_MAX, "0:%02lld.%lld", seconds, (long long)left_ms / 100 % 10);
    else if (left_ms < HOUR_MS)
        snprintf(text, CLOCK_TEXT_MAX, "%lld:%02lld", minutes, seconds);
    else
        snprintf(text, CLOCK_TEXT_MAX, "%lld:%02lld:%02lld", (long long)left_ms / HOUR_MS, minutes,
                 seconds);
}

void clock_line(const struct match_clock *clock, int64_t now_ms, char line[CLOCK_LINE_MAX])
{
    char left[2][CLOCK_TEXT_MAX], increment[32] = "";

    for (enum color color = WHITE; color <= BLACK; color++)
        clock_format(match_clock_left_ms(clock, color, now_ms), left[color]);
    if (clock->increment_ms > 0)
        snprintf(increment, sizeof increment, ", +%g s a move", (double)clock->increment_ms / 1000);
    snprintf(line, CLOCK_LINE_MAX, "white %s%s, black %s%s%s", left[WHITE],
             clock->runs && clock->running == WHITE ? " (running)" : "", left[BLACK],
             clock->runs && clock->running == BLACK ? " (running)" : "", increment);
}

const char *clock_control(const cJSON *json, char text[CLOCK_LINE_MAX])
{
    int64_t base_ms = json_ms(json, "base_ms"), increment_ms = json_ms(json, "increment_ms");

    text[0] = '\0';
    if (base_ms > 0)
        snprintf(text, CLOCK_LINE_MAX, ", clock %.10g+%.10g", (double)base_ms / 1000,
                 increment_ms > 0 ? (double)increment_ms / 1000 : 0.0);
    return text;
}
