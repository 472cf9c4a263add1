/* Text on the screen: cut to its place by the columns it takes, and free of what a terminal might
 * take for anything but text. Nothing here is drawn outside of the screen. */
#ifndef LUDUS_SCREEN_PAINT_H
#define LUDUS_SCREEN_PAINT_H

#include <curses.h>

/* A place on the screen. */
struct area {
    int y, x, width, height;
};

/* Draws text at a row and column, in at most `width` columns; what is longer is cut, with a '~' at
 * the end. Returns the columns that it takes. */
int paint_text(int y, int x, int width, attr_t ink, const char *text);

/* The same, formatted as by printf. */
int paint_format(int y, int x, int width, attr_t ink, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Draws a text in rows broken at spaces, at most `rows` of them; returns how many it took. With
 * rows 0 nothing is drawn: how many it would take. Where that is less, the last row ends in '~'.
 * Rows of a table go on below its second column. */
int paint_rows(int y, int x, int width, int rows, attr_t ink, const char *text);

/* Draws the rows of a text behind the first `skip`, as many as the place has. */
void paint_rows_behind(const struct area *area, int skip, attr_t ink, const char *text);

/* Fills `width` columns with spaces. */
void paint_blank(int y, int x, int width, attr_t ink);

#endif
