/*
 * The upper part of a proof that somebody wins a position of Clobber: the positions that the winner
 * leaves the other side. Whatever that side moves, the winner can move to another of them, or the
 * rest is easy to solve.
 */
#ifndef LUDUS_BOT_CLOBBER_PROOF_H
#define LUDUS_BOT_CLOBBER_PROOF_H

#include "clobber_solve.h"

/* A list. */
struct positions {
    struct position *at;
    size_t count, capacity;
};

void positions_release(struct positions *positions);

/* Collects the upper part, in the order in which it is reached; `proof` is set anew. Left out are
 * replies to positions that a new solver would solve within 2^effort nodes, as far as that shows
 * quickly. Then come winning replies, with the same exception, to all positions that the first
 * `plies` plies lead to and that the side to move wins; 0: to none. The position has at most
 * BOOK_SQUARES_MAX squares (clobber_book.h); the solver solves what it does not know. Returns false
 * if a solver fails. */
bool proof_collect(struct positions *proof, struct solver *solver, const struct position *position,
                   int plies, int effort);

#endif
