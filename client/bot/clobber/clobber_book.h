/*
 * The book: positions of Clobber that are lost for the side to move, from proofs that took the
 * solver long. Whoever can move to one of them wins. `ludus-bot solve --book` finds them.
 *
 * A position, its mirror images and those with the colours exchanged are one.
 */
#ifndef LUDUS_BOT_CLOBBER_BOOK_H
#define LUDUS_BOT_CLOBBER_BOOK_H

#include "common/game.h"

enum { BOOK_SQUARES_MAX = 40 }; /* boards with more have no keys */

/* The number that stands for the position and all its images, and for no other position on that
 * board. */
uint64_t book_key(const struct position *position);

/* Keys of up to 30 squares as digits whose order is that of the keys. */
enum { BOOK_DIGITS = 8 };

void book_key_format(uint64_t key, char digits[BOOK_DIGITS]);

/* Finds a move to a position of the book. Returns false, with *move unchanged, if there is none. */
bool book_reply(const struct position *position, struct move *move);

/* The positions of one board; width <= height. */
struct book {
    int width, height;
    int count;
    const char *keys; /* BOOK_DIGITS each, in ascending order */
};

/* Ends with a row of width 0. See clobber_book_keys.c. */
extern const struct book books[];

#endif
