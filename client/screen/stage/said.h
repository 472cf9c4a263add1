/* The messages of the program, by the match that they were said in. This module knows nothing of
 * the screen. */
#ifndef LUDUS_SCREEN_SAID_H
#define LUDUS_SCREEN_SAID_H

#include <stdbool.h>

#include "client/link/match_state.h"
#include "lines.h"

/* A zeroed one is empty. */
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
