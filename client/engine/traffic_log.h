/* The log of a program that runs engines: key=value lines with time and level, on standard error.
 */
#ifndef LUDUS_ENGINE_TRAFFIC_LOG_H
#define LUDUS_ENGINE_TRAFFIC_LOG_H

#include <stdbool.h>

enum log_level { LOG_INFO, LOG_WARN };

/* Writes one line, but no LOG_INFO if quiet: the words of `format`, then `text` in quotes unless it
 * is NULL. With a text, the words end in its key, as in "match=%s resigned why=". Pass whatever an
 * engine or server said as `text`, which is cleaned; no word may contain spaces or quotes. */
void engine_log(bool quiet, enum log_level level, const char *text, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
