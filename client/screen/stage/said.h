/* What was said, line by line, and in which match: each shows its own. Knows nothing of the
 * screen. */
#ifndef LUDUS_SCREEN_SAID_H
#define LUDUS_SCREEN_SAID_H

#include <stdbool.h>

#include "client/link/match_state.h"
#include "lines.h"

/* A zeroed one is empty. */
struct said {
    struct lines lines;                    /* of all matches */
    char matches[LINES_MAX][MATCH_ID_MAX]; /* by the number of a line in all that was ever said */
};

/* Add to what was said in a match, "" for the menu, as lines_add() and lines_write() do. */
void said_add(struct said *said, const char *match, const char *line);
void said_write(struct said *said, const char *match, const char *text);

/* Whether the i-th of the lines was said in that match. */
bool said_in(const struct said *said, int i, const char *match);

/* Adds those of that match to `lines`. */
void said_copy(const struct said *said, const char *match, struct lines *lines);

/* From now on the lines so far are of no match: another server has others by the same numbers. */
void said_detach(struct said *said);

#endif
