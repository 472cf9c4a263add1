/*
 * The openings that a gauntlet plays, where it is told which: the balanced ones that are built in,
 * or those of a file, of which each line is one (common/opening.h). Empty lines and lines that
 * begin with # are skipped. A file that begins with [ is PGN instead: the first moves of each
 * match.
 */
#ifndef LUDUS_OPENING_LIST_H
#define LUDUS_OPENING_LIST_H

#include "common/opening.h"

enum { OPENINGS_MAX = 100000 };

#define OPENINGS_BALANCED "balanced" /* in place of the path of a file */

struct opening_list {
    struct opening *openings; /* owned; `count` of them, at least one once they are read */
    int count;
    uint64_t hash; /* the same openings have the same hash */
};

/* Reads the openings of this start position's variant: those of a file, of PGN up to `pgn_plies`
 * moves of each match, or with OPENINGS_BALANCED for a path those built in. Returns false with the
 * cause, which names the line, if the file cannot be read, a line is wrong, the game is over after
 * an opening, or there are none. Release the list in either case. */
bool opening_list_read(struct opening_list *list, const char *path, const struct game *game,
                       const struct position *start, int pgn_plies, struct cause *cause);

void opening_list_release(struct opening_list *list);

#endif
