/*
 * Openings: a position and the first moves of a match. Random ones are a number of legal plies
 * from the start, which depend on the seed only; no two of a book lead to the same position.
 * Others come from a file. The game is never over after an opening.
 */
#ifndef LUDUS_GAUNTLET_OPENING_H
#define LUDUS_GAUNTLET_OPENING_H

#include "common/game.h"
#include "opening.h"

enum { OPENING_PLIES_MAX = 40 };

struct opening {
    struct position start;
    int plies;
    struct move moves[OPENING_PLIES_MAX];
    uint64_t key; /* of the position after them */
};

/* The random openings found so far. */
struct opening_book {
    const struct game *game;
    struct position start;
    int plies; /* of each, at most OPENING_PLIES_MAX */
    uint64_t rng;
    struct opening *openings; /* owned; `count` of them */
    int count, capacity;
};

/* Makes an empty book, to be released. */
void book_init(struct opening_book *book, const struct game *game, const struct position *start,
               int plies, uint64_t seed);

/* The opening of that number, counted from 0; borrowed until the next call. NULL if many tries
 * found no new one. */
const struct opening *book_opening(struct opening_book *book, int number);

void book_release(struct opening_book *book);

/*
 * Openings from a file, of which each line is one:
 *
 *     startpos | [fen] POSITION [moves MOVE...]
 *
 * Empty lines and lines that begin with # are skipped. A file that begins with [ is PGN instead:
 * the first moves of each match.
 */
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
