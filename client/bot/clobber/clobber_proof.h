/*
 * The upper part of a proof that somebody wins a position of Clobber: the positions that the winner
 * leaves the other side. Whatever that side moves, the winner can move to another of them, or the
 * rest is easy to solve.
 */
#ifndef LUDUS_BOT_CLOBBER_PROOF_H
#define LUDUS_BOT_CLOBBER_PROOF_H

#include "clobber_solve.h"

struct proof {
    struct position *lost; /* for the side to move there; in the order in which they are reached */
    size_t count, capacity;
};

/* Collects the upper part: without replies to positions that a new solver would solve within
 * 2^effort nodes. The position has at most BOOK_SQUARES_MAX squares (clobber_book.h); the solver
 * solves it unless it knows it. Returns false if a solver fails. */
bool proof_collect(struct proof *proof, struct solver *solver, const struct position *position,
                   int effort);

void proof_release(struct proof *proof);

#endif
