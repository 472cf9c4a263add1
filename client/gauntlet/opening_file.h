/*
 * Openings from a file, of which each line is one:
 *
 *     startpos | [fen] POSITION [moves MOVE...]
 *
 * Empty lines and lines that begin with # are skipped. A file that begins with [ is PGN instead:
 * the first moves of each match.
 */
#ifndef LUDUS_GAUNTLET_OPENING_FILE_H
#define LUDUS_GAUNTLET_OPENING_FILE_H

#include "opening.h"

enum { OPENINGS_MAX = 100000 };

struct opening_list {
    struct opening *openings; /* owned; `count` of them, at least one once they are read */
    int count;
    uint64_t hash; /* of the file; the same openings have the same hash */
};

/* Reads the openings of this start position's variant, of PGN up to `pgn_plies` moves of each
 * match. Returns false with the cause, which names the line, if the file cannot be read, a line is
 * wrong, or the game is over after an opening. Release the list in either case. */
bool opening_list_read(struct opening_list *list, const char *path, const struct game *game,
                       const struct position *start, int pgn_plies, struct cause *cause);

void opening_list_release(struct opening_list *list);

#endif
