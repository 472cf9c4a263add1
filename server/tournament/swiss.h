/*
 * Swiss system, after the basic rules of FIDE Handbook C.04.1: nobody meets anybody twice, nobody
 * has two byes, players of equal score meet as far as possible, and the difference of a player's
 * colours stays within 1 as far as that is possible. With an odd number the bye is given first: to
 * the lowest score of those who have had none, as long as the others can be paired (C.04.3, C.2 and
 * C.5). In a group of equal score the better half meets the other half in order, as in the Dutch
 * system (C.04.3); those who float out of their group meet the nearest score.
 *
 * All but the score of the bye is one cost for each two players, and the round is the cheapest
 * perfect matching (matching.h). With many players only near ones count, so a round of 1,000 takes
 * part of a second.
 */
#ifndef LUDUS_SWISS_H
#define LUDUS_SWISS_H

#include "contest.h"

/* Returns the rounds needed to get a sole leader among `players`. */
int swiss_rounds(int players);

/* Adds the next round to `next`, or the return matches of a contest in pairs, once what was before
 * is over. False: the last round was played, or
 * there is no further one in which nobody meets an opponent again. */
bool swiss_next(const struct contest *contest, struct pairing_list *next);

#endif
