#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

void log_line(enum log_level level, const char *format, ...)
{
    static const char *const names[] = {"info", "warn", "error"};
    char stamp[32], text[1024];
    time_t now = time(NULL);
    struct tm utc;
    va_list args;

    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    /* One call, so that lines of several processes do not mix. */
    fprintf(stderr, "time=%s level=%s %s\n", stamp, names[level], text);
}
