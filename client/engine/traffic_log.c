#include "traffic_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/utf8.h"

/* The text in quotes, without a quote or a control character inside. */
static void quote(const char *text, char quoted[256])
{
    char clean[250];

    snprintf(clean, sizeof clean, "%s", text);
    utf8_clean(clean);
    for (char *mark = clean; (mark = strchr(mark, '"')) != NULL;)
        *mark = '\'';
    snprintf(quoted, 256, "\"%s\"", clean);
}

void engine_log(bool quiet, enum log_level level, const char *text, const char *format, ...)
{
    char stamp[32], words[512], quoted[256] = "";
    time_t now = time(NULL);
    struct tm utc;
    va_list args;

    if (quiet && level < LOG_WARN)
        return;
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (text != NULL)
        quote(text, quoted);
    /* One call, so that lines of different processes do not mix. */
    fprintf(stderr, "time=%s level=%s %s%s\n", stamp, level == LOG_WARN ? "warn" : "info", words,
            quoted);
}
