/* The log of who runs engines: lines of key=value words with time and level, to standard error. */
#ifndef LUDUS_ENGINE_TRAFFIC_LOG_H
#define LUDUS_ENGINE_TRAFFIC_LOG_H

#include <stdbool.h>

struct log {
    bool quiet; /* only warnings are written */
};

enum log_level { LOG_INFO, LOG_WARN };

/* Writes one line: the words of `format` and, unless it is NULL, `text` in quotes. Then the words
 * end with its key, as in "match=%s resigned why=". What engines and the server say, whatever it
 * holds, goes into `text`; into the words only what is known to have no spaces and quotes. */
void engine_log(const struct log *log, enum log_level level, const char *text, const char *format,
                ...) __attribute__((format(printf, 4, 5)));

#endif
