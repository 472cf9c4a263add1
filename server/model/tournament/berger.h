/*
 * Round robin by Berger tables (FIDE Handbook C.05, Annex 1): everybody meets everybody once a
 * cycle, the colours of each player differ by one at most in a cycle, and change in the next one.
 */
#ifndef LUDUS_BERGER_H
#define LUDUS_BERGER_H

#include "contest.h"

/* The two at a board, from 0, in a round, from 0, of a table for an even number of players from 0.
 */
struct berger_pair {
    int white, black;
} berger_pair(int players, int round, int board);

/* Returns the number of pairings of the whole contest. */
long berger_pairings(int players, int cycles);

/* Adds the next round to `next`, once the one before is over. False: all rounds were played. */
bool berger_next(const struct contest *contest, struct pairing_list *next);

#endif
