#include "time_control.h"

#include <string.h>

enum { DIGITS_MAX = 9 }; /* of whole seconds: beyond every range, and far from an overflow */

bool seconds_read(const char **text, int64_t *ms)
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

bool time_control_read(const char *text, struct time_control *control)
{
    *control = (struct time_control){0};
    if (!seconds_read(&text, &control->base_ms))
        return false;
    if (*text == '+') {
        text++;
        if (!seconds_read(&text, &control->increment_ms))
            return false;
    }
    return *text == '\0';
}

bool time_control_parse(const char *text, struct time_control *control, struct cause *cause)
{
    struct time_control read;

    if (!time_control_read(text, &read))
        return cause_set(cause,
                         "invalid clock '%.32s': write BASE or BASE+INC in seconds, such as "
                         "300+5",
                         text);
    if (read.base_ms < TIME_BASE_MIN_MS || read.base_ms > TIME_BASE_MAX_MS)
        return cause_set(cause, "the time of a clock must be 0.1 to %d seconds",
                         TIME_BASE_MAX_MS / 1000);
    if (read.increment_ms > TIME_INCREMENT_MAX_MS)
        return cause_set(cause, "the increment of a clock must be 0 to %d seconds",
                         TIME_INCREMENT_MAX_MS / 1000);
    *control = read;
    return true;
}
