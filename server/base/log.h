/*
 * The log: a line for each event, as words key=value, to standard error or a file:
 *
 *     time=2026-11-21T10:13:29Z level=info event=hello peer=anna client="nc by hand"
 *
 * A line stays one line whatever its values are: bytes that are not clean UTF-8 are written as
 * \xHH. Text that a peer may choose is quoted by log_quote(). Tokens, secrets, join codes, chat and
 * the ids of private matches are never logged.
 *
 * Like standard error, the log belongs to the process, so it is not handed down in struct server.
 */
#ifndef LUDUS_LOG_H
#define LUDUS_LOG_H

#include <stdbool.h>

#include "common/text.h"

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_LEVELS };

/* Drops lines below that level, which is LOG_INFO at first. */
void log_set_level(enum log_level level);

/* Appends to the file from now on, and makes it if it is missing; call this again to reopen it.
 * False with the cause; the log then goes where it went before. */
bool log_to_file(const char *path, struct cause *cause);

/* Closes the file, if there is one, and returns to standard error. */
void log_close(void);

/* Writes one line, cut to about 1000 bytes. */
void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes the line event=out-of-memory. It allocates nothing: for xmalloc_set_report(). */
void log_out_of_memory(void);

enum { QUOTED_MAX = 200 };

struct quoted {
    char text[QUOTED_MAX];
};

/* Returns the text in quotes, with quotes and backslashes escaped by a backslash. A long text is
 * cut and ends in three dots. Use it as log_quote(text).text in a call. */
struct quoted log_quote(const char *text);

#endif
