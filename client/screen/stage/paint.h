/* Text on the screen, cut to its columns and free of control characters. Nothing is painted outside
 * the screen. */
#ifndef LUDUS_SCREEN_PAINT_H
#define LUDUS_SCREEN_PAINT_H

#include <curses.h>

/* A part of the screen. */
struct area {
    int y, x, width, height;
};

/* Takes so many rows off the top of an area. */
void area_drop_rows(struct area *area, int rows);

/* Paints text in at most `width` columns; '~' marks a cut. Returns the columns used. */
int paint_text(int y, int x, int width, attr_t ink, const char *text);

/* Paints formatted text as paint_text() does. */
int paint_format(int y, int x, int width, attr_t ink, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Paints text in at most `rows` rows, broken at spaces; returns the rows used. With rows 0 it only
 * counts them. '~' ends a text that is cut. Rows of a table go on below its second column. */
int paint_rows(int y, int x, int width, int rows, attr_t ink, const char *text);

/* Paints the rows after the first `skip`, as many as the area has. */
void paint_rows_behind(const struct area *area, int skip, attr_t ink, const char *text);

/* Fills `width` columns with spaces. */
void paint_blank(int y, int x, int width, attr_t ink);

#endif
