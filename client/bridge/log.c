#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/utf8.h"

/* ` why="..."` without a quote or a control character inside. */
static void format_why(const char *why, char text[256])
{
    char clean[240];

    snprintf(clean, sizeof clean, "%s", why);
    utf8_clean(clean);
    for (char *quote = clean; (quote = strchr(quote, '"')) != NULL;)
        *quote = '\'';
    snprintf(text, 256, " why=\"%s\"", clean);
}

void log_line(const struct log *log, enum log_level level, const char *why, const char *format, ...)
{
    char stamp[32], text[512], reason[256] = "";
    time_t now = time(NULL);
    struct tm utc;
    va_list args;

    if (log->quiet && level < LOG_WARN)
        return;
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (why != NULL)
        format_why(why, reason);
    /* One call, so that lines of several processes do not mix. */
    fprintf(stderr, "time=%s level=%s %s%s\n", stamp, level == LOG_WARN ? "warn" : "info", text,
            reason);
}
