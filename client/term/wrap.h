/*
 * Text in rows of a terminal: how wide it is, and where a line that is too long is broken. Knows
 * no screen; letters take as many columns as the locale says.
 */
#ifndef LUDUS_WRAP_H
#define LUDUS_WRAP_H

#include <stddef.h>

/* Columns that `bytes` bytes of text take. */
int wrap_columns(const char *text, size_t bytes);

/* The bytes of a line of `bytes` bytes that are to stand in one row of `width` columns: all if
 * they fit, else up to a space, and all of the first word if that alone is too long. What goes
 * into the next row begins behind the spaces. */
size_t wrap_row(const char *line, size_t bytes, int width);

/* How far the rows behind the first are indented: to the second column of a table of two, such as
 * the lists of commands and matches, else `more` than the line itself. */
int wrap_indent(const char *line, int width, int more);

#endif
