/* Text on the screen: cut to its place by the columns it takes, and free of what a terminal might
 * take for anything but text. Nothing here is drawn outside of the screen. */
#ifndef LUDUS_SCREEN_PAINT_H
#define LUDUS_SCREEN_PAINT_H

#include <curses.h>

/* Draws text at a row and column, in at most `width` columns; what is longer is cut, with a '~' at
 * the end. Returns the columns that it takes. */
int paint_text(int y, int x, int width, attr_t ink, const char *text);

/* The same, formatted as by printf. */
int paint_format(int y, int x, int width, attr_t ink, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Draws a text in rows broken at spaces, at most `rows` of them; returns how many it took. With
 * rows 0 nothing is drawn: how many it would take. */
int paint_rows(int y, int x, int width, int rows, attr_t ink, const char *text);

/* Fills `width` columns with spaces. */
void paint_blank(int y, int x, int width, attr_t ink);

#endif
