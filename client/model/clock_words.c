#include "clock_words.h"

#include <stdio.h>
#include <string.h>

enum { MINUTE_MS = 60000, FACTOR = 60 };

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " \t");
}

/* Reads minutes, such as 5, 0.5 or 1:30, and moves *text past them. */
static bool read_minutes(const char **text, int64_t *ms)
{
    int64_t minutes_ms, seconds_ms = 0;

    if (!seconds_read(text, &minutes_ms)) /* the same form of number */
        return false;
    if (**text == ':') {
        ++*text;
        if (!seconds_read(text, &seconds_ms) || seconds_ms >= MINUTE_MS)
            return false;
    }
    *ms = minutes_ms * FACTOR + seconds_ms;
    return true;
}

static bool read_control(const char *text, struct time_control *control)
{
    *control = (struct time_control){0};
    text = skip_spaces(text);
    if (!read_minutes(&text, &control->base_ms))
        return false;
    text = skip_spaces(text);
    if (*text == '+') {
        text = skip_spaces(text + 1);
        if (!seconds_read(&text, &control->increment_ms))
            return false;
    }
    return *skip_spaces(text) == '\0';
}

bool clock_words_read(const char *text, char clock[CLOCK_WORDS_MAX], struct cause *cause)
{
    struct time_control control;

    if (!read_control(text, &control))
        return cause_set(cause, "'%.20s' is not a clock: write minutes + seconds a move, as 5 + 3",
                         text);
    snprintf(clock, CLOCK_WORDS_MAX, "%.10g+%.10g", (double)control.base_ms / 1000,
             (double)control.increment_ms / 1000);
    return time_control_parse(clock, &control, cause);
}

void clock_words_write(int64_t base_ms, int64_t increment_ms, char text[CLOCK_WORDS_MAX])
{
    char seconds[24] = "";

    if (base_ms % MINUTE_MS != 0)
        snprintf(seconds, sizeof seconds, ":%s%.10g", base_ms % MINUTE_MS < 10000 ? "0" : "",
                 (double)(base_ms % MINUTE_MS) / 1000);
    snprintf(text, CLOCK_WORDS_MAX, "%lld%s + %.10g", (long long)(base_ms / MINUTE_MS), seconds,
             (double)increment_ms / 1000);
}
