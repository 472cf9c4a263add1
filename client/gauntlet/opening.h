/*
 * Random openings: so many random legal plies from the start, the same for the same seed. The
 * position after them is not over, and no two openings of a gauntlet lead to the same one.
 */
#ifndef LUDUS_GAUNTLET_OPENING_H
#define LUDUS_GAUNTLET_OPENING_H

#include "common/game.h"

enum { OPENING_PLIES_MAX = 40 };

struct opening {
    struct move moves[OPENING_PLIES_MAX];
    struct position position; /* after them */
    uint64_t key;             /* of the position */
};

/* The openings found so far. */
struct book {
    const struct game *game;
    struct position start;
    int plies; /* of each, at most OPENING_PLIES_MAX */
    uint64_t rng;
    struct opening *openings; /* owned; `count` of them */
    int count, capacity;
};

/* An empty book. Must be released. */
void book_init(struct book *book, const struct game *game, const struct position *start, int plies,
               uint64_t seed);

/* The opening of that number, from 0; it is the book's, until the next call. NULL when no
 * further one was found in many tries: it seems that there are no more. */
const struct opening *book_opening(struct book *book, int number);

void book_release(struct book *book);

#endif
