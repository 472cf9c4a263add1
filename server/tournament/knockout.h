/*
 * Knockout: seeded by rating so that the best two can only meet in the final; the best have a bye
 * in the first round where the number of players is no power of two. Two play two matches, one with
 * each colour, and two more for as long as they are level; after KNOCKOUT_MATCHES_MAX the better
 * seed goes on; so it does, by a walkover, where both are absent. A player who has left loses.
 */
#ifndef LUDUS_KNOCKOUT_H
#define LUDUS_KNOCKOUT_H

#include "contest.h"

enum { KNOCKOUT_MATCHES_MAX = 20 };

/* Adds what can be played next: further matches of those who are level, or the next round. `states`
 * NULL: nobody is absent. False: the final is decided. */
bool knockout_next(const struct contest *contest, const enum entrant_state states[],
                   struct pairing_list *next);

/* Sets for every entrant how many rounds they have survived. */
void knockout_survived(const struct contest *contest, int survived[]);

#endif
