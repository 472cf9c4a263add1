/*
 * Chooses a move of Clobber where the solver (clobber_solve.h) has not found one that wins: the one
 * after which the other side is likeliest to lose, be it that the move wins after all, or that the
 * other side replies wrongly.
 */
#ifndef LUDUS_BOT_CLOBBER_CHOICE_H
#define LUDUS_BOT_CLOBBER_CHOICE_H

#include "clobber_solve.h"

struct choice {
    int number; /* of the move */
    int plies;  /* searched */
    int score;  /* the natural logarithm, in hundredths, of the odds that the move wins */
};

/* Chooses one of these moves in the position of the request, from 1 to MOVES_MAX of them, by what
 * the solver knows and a search of up to three plies. It is to follow solver_solve(), and adds the
 * nodes it took to *nodes. Returns false if a limit was reached too soon, or the other side cannot
 * reply wrongly. */
bool choose_move(struct solver *solver, const struct solve_request *request,
                 const struct move *moves, int count, struct choice *choice, uint64_t *nodes);

#endif
