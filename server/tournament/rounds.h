/*
 * Which pairings come next in a contest, by its format. Swiss and knockout have files of their own.
 *
 * Round robin goes by Berger tables (FIDE Handbook C.05, Annex 1): everybody meets everybody once a
 * cycle, the colours of each player differ by one at most in a cycle, and change in the next one.
 *
 * In an arena whoever is free gets the next opponent at once; without an end it is a league. Nobody
 * plays the same opponent twice in a row as long as more than two are here or playing; those who
 * met least of late, and then those who are nearest in score, are paired; colours are balanced.
 *
 * In a contest in pairs everybody plays two matches in turn with an opponent, one with each colour,
 * as in a knockout anyway; the cycles of a round robin are even. In an arena the second one waits
 * if one of the two is away, and for nothing else.
 */
#ifndef LUDUS_ROUNDS_H
#define LUDUS_ROUNDS_H

#include "contest.h"

/* The fewest entrants with whom a contest may start. */
enum { ENTRANTS_MIN = 2 };

/* Adds what is to be played now to `next`, which may be nothing while matches are open. `states`
 * are those of the entrants; only an arena and a knockout ask. False: the contest is over. */
bool next_round(const struct contest *contest, const enum entrant_state states[],
                struct pairing_list *next);

/* Returns whether players may enter once the contest has begun. */
bool round_takes_late(enum contest_format format);

/* The two at a board, from 0, in a round, from 0, of a table for an even number of players from 0.
 */
struct berger_pair {
    int white, black;
} berger_pair(int players, int round, int board);

/* Returns the number of pairings of the whole contest. */
long berger_pairings(int players, int cycles);

#endif
