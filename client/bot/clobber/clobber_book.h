/*
 * The book: positions of Clobber that are lost for the side to move, from proofs that took the
 * solver long. Whoever can move to one of them wins. `ludus-bot solve --book` finds them.
 *
 * A position, its mirror images and those with the colours exchanged are one.
 */
#ifndef LUDUS_BOT_CLOBBER_BOOK_H
#define LUDUS_BOT_CLOBBER_BOOK_H

#include "clobber_solve.h"

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

/* A list. */
struct positions {
    struct position *at;
    size_t count, capacity;
};

void positions_release(struct positions *positions);

enum proof_status {
    PROOF_DONE,
    PROOF_NO_MEMORY,
    PROOF_TOO_DEEP, /* a position is beyond the solver */
    PROOF_FALSE     /* a new solver refutes what the solver knows */
};

/*
 * Collects the upper part of a proof: the positions that the winner leaves the other side. Whatever
 * that side moves, the winner can move to another of them, or the rest is easy to solve. They are
 * in the order in which they are reached; `proof` is set anew.
 *
 * Left out are replies to positions that a new solver wins within 2^effort nodes, as far as that
 * shows quickly. Then come winning replies, with the same exception, to all positions that the
 * first `plies` plies lead to and that the side to move wins; 0: to none. The position has at most
 * BOOK_SQUARES_MAX squares; the solver solves what it does not know. If the proof is false,
 * *refuted is a position that the winner was to win.
 */
enum proof_status proof_collect(struct positions *proof, struct solver *solver,
                                const struct position *position, int plies, int effort,
                                struct position *refuted);

#endif
