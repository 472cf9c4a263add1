/* The log: lines of key=value words with time and level, to standard error. */
#ifndef LUDUS_LOG_H
#define LUDUS_LOG_H

enum log_level { LOG_INFO, LOG_WARN, LOG_ERROR };

/* Writes one line. Text of a peer goes in only where its form was checked, such as names. */
void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
