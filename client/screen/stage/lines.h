/* Lines of text: everything the program said, or one page of it. */
#ifndef LUDUS_SCREEN_LINES_H
#define LUDUS_SCREEN_LINES_H

#include <stddef.h>

enum { LINES_MAX = 500, LINE_BYTES_MAX = 4096 };

/* A zeroed one is empty. */
struct lines {
    char *texts[LINES_MAX]; /* owned, without line ends */
    int count;
    long total;                 /* number of lines ever added */
    char begun[LINE_BYTES_MAX]; /* a line without an end yet */
};

/* Adds text. A line counts once it has ended. Beyond LINES_MAX the oldest lines go; a line is cut
 * at LINE_BYTES_MAX. */
void lines_write(struct lines *lines, const char *text);

/* Adds one line. */
void lines_add(struct lines *lines, const char *line);

/* Frees all lines and empties the struct. */
void lines_clear(struct lines *lines);

#endif
