/* Wraps text to the width of a terminal. Characters take as many columns as the locale says. */
#ifndef LUDUS_WRAP_H
#define LUDUS_WRAP_H

#include <stddef.h>
#include <wchar.h>

/* Reads the first character of any bytes, at least one; *width is its columns. Invalid and control
 * characters become '?'. Returns the rest of the text. */
const char *wrap_letter(const char *text, size_t bytes, wchar_t *letter, int *width);

/* The columns that `bytes` bytes of text take. */
int wrap_columns(const char *text, size_t bytes);

/* Copies text that fits into `width` columns and `size` bytes with the final NUL; of another one
 * what fits, up to a whole letter with its marks, and '~'. Returns the copy. width >= 1, size >= 2.
 */
const char *wrap_cut(const char *text, int width, char *copy, size_t size);

/* The bytes of a line that fit into a row of `width` columns: all, or up to a space, but at least
 * the first word. The next row begins behind the spaces. */
size_t wrap_row(const char *line, size_t bytes, int width);

/* The indent of continuation rows: the second column of a table of two columns, such as the list of
 * commands, else `more` than the line itself. */
int wrap_indent(const char *line, int width, int more);

#endif
