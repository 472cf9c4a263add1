/* Lines of text: everything the program said, or one page of it. */
#ifndef LUDUS_SCREEN_LINES_H
#define LUDUS_SCREEN_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "client/link/match_state.h"

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

/* The lines that the program said, each with its match. A zeroed one is empty. */
struct said {
    struct lines lines;                    /* of all matches */
    char matches[LINES_MAX][MATCH_ID_MAX]; /* by the number of a line among all ever said */
};

/* Add to the messages of a match, "" for the menu, as lines_add() and lines_write() do. */
void said_add(struct said *said, const char *match, const char *line);
void said_write(struct said *said, const char *match, const char *text);

/* Whether the i-th line was said in that match. */
bool said_in(const struct said *said, int i, const char *match);

/* Adds the messages of that match to `lines`. */
void said_copy(const struct said *said, const char *match, struct lines *lines);

/* Detaches all lines from their matches, as another server uses the same numbers. */
void said_detach(struct said *said);

#endif
