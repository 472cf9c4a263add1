/*
 * The log: a line for each thing that happened, as words key=value, to standard error or a file:
 *
 *     time=2026-11-21T10:13:29Z level=info event=hello peer=anna client="nc by hand"
 *
 * Whatever is in a value, a line stays a line: what is no clean UTF-8 text is written as \xHH. Text
 * that a peer may choose goes in by log_quote(). Tokens, secrets, join codes, chat and the ids of
 * private matches are never logged.
 *
 * It is the log of the process, as standard error is, and so the one thing of the server that is
 * not handed down.
 */
#ifndef LUDUS_LOG_H
#define LUDUS_LOG_H

#include <stdbool.h>

#include "common/cause.h"

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_LEVELS };

/* The word for a level, such as "warn". */
const char *log_level_word(enum log_level level);
/* Reads such a word. False for any other, *level unchanged. */
bool log_level_parse(const char *word, enum log_level *level);

/* Lines below that level are not written; LOG_INFO without this. */
void log_set_level(enum log_level level);

/* Appends to the file from now on, which is made if it is missing: to reopen it, call this again.
 * False with the cause; the log then goes where it went before. */
bool log_to_file(const char *path, struct cause *cause);

/* Closes the file, if there is one: standard error takes the rest. */
void log_close(void);

/* Writes one line, cut to about 1000 bytes. */
void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes the line event=out-of-memory. It allocates nothing: for xmalloc_set_report(). */
void log_out_of_memory(void);

enum { QUOTED_MAX = 200 };

struct quoted {
    char text[QUOTED_MAX];
};

/* The text as a value in quotes, in which quotes and backslashes are escaped by a backslash; one
 * that is too long is cut and ends in three dots. Used as log_quote(text).text in a call. */
struct quoted log_quote(const char *text);

#endif
