/* Lines of text that were written one after the other: what the program said, or one page of it. */
#ifndef LUDUS_SCREEN_LINES_H
#define LUDUS_SCREEN_LINES_H

#include <stddef.h>

enum { LINES_MAX = 500, LINE_BYTES_MAX = 4096 };

/* A zeroed one is empty. */
struct lines {
    char *texts[LINES_MAX]; /* owned, without line ends */
    int count;
    long total;                 /* lines that were ever added */
    char begun[LINE_BYTES_MAX]; /* the line that has no end yet */
};

/* Adds text with any number of line ends; a line is there once its end has come. Of more than
 * LINES_MAX lines the oldest go; what is longer than LINE_BYTES_MAX is cut. */
void lines_write(struct lines *lines, const char *text);

/* Adds one line. */
void lines_add(struct lines *lines, const char *line);

/* Frees all lines; the struct is empty then. */
void lines_clear(struct lines *lines);

#endif
