/*
 * Arena: whoever is free gets the next opponent at once. Without an end it is a league.
 *
 * Nobody plays the same opponent twice in a row as long as more than two take part; those who met
 * least of late, and then those who are nearest in score, are paired; colours are balanced.
 */
#ifndef LUDUS_ARENA_PAIRING_H
#define LUDUS_ARENA_PAIRING_H

#include "contest.h"

/* Adds pairings among those who are idle: by entrant, whether they are here and play no match.
 * False: there is no room for more pairings, and none is open. */
bool arena_next(const struct contest *contest, const bool idle[], struct pairing_list *next);

#endif
