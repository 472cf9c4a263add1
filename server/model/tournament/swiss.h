/*
 * Swiss system, after the basic rules of FIDE Handbook C.04.1: nobody meets anybody twice, nobody
 * has two byes, players of equal score meet as far as possible, and the difference of a player's
 * colours stays within 1 as far as that is possible. In a group of equal score the better half
 * meets the other half in order, as in the Dutch system (C.04.3); those who float out of their
 * group meet the nearest score.
 *
 * All of that is one cost for each two players, and the round is the cheapest perfect matching
 * (matching.h). With many players only near ones count, so a round of 1,000 takes part of a second.
 */
#ifndef LUDUS_SWISS_H
#define LUDUS_SWISS_H

#include "contest.h"

/* The rounds after which one of so many players is likely ahead alone. */
int swiss_rounds(int players);

/* Adds the next round to `next`, once the one before is over. False: the last round was played, or
 * there is no further one in which nobody meets an opponent again. */
bool swiss_next(const struct contest *contest, struct pairing_list *next);

#endif
