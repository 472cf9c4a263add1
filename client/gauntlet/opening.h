/*
 * Openings: a position and the first moves of a match. Random ones are a number of legal plies
 * from the start, which depend on the seed only; no two of a book lead to the same position.
 * Others come from a file. The game is never over after an opening.
 */
#ifndef LUDUS_GAUNTLET_OPENING_H
#define LUDUS_GAUNTLET_OPENING_H

#include "common/game.h"

enum { OPENING_PLIES_MAX = 40 };

struct opening {
    struct position start;
    int plies;
    struct move moves[OPENING_PLIES_MAX];
    uint64_t key; /* of the position after them */
};

/* Plays the opening through. Returns false if the game is over by then. Sets its key. */
bool opening_play(const struct game *game, struct opening *opening);

/* The random openings found so far. */
struct book {
    const struct game *game;
    struct position start;
    int plies; /* of each, at most OPENING_PLIES_MAX */
    uint64_t rng;
    struct opening *openings; /* owned; `count` of them */
    int count, capacity;
};

/* Makes an empty book, to be released. */
void book_init(struct book *book, const struct game *game, const struct position *start, int plies,
               uint64_t seed);

/* The opening of that number, counted from 0; borrowed until the next call. NULL if many tries
 * found no new one. */
const struct opening *book_opening(struct book *book, int number);

void book_release(struct book *book);

#endif
