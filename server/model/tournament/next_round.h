/* The next pairings of a contest, by its format. */
#ifndef LUDUS_NEXT_ROUND_H
#define LUDUS_NEXT_ROUND_H

#include "contest.h"

/* The fewest entrants with whom a contest may start. */
enum { ENTRANTS_MIN = 2 };

/* Adds what is to be played now to `next`, which may be nothing while matches are open. `idle` says
 * by entrant who is here and plays no match; only an arena asks. False: the contest is over. */
bool next_round(const struct contest *contest, const bool idle[], struct pairing_list *next);

/* Whether players may enter once the contest has begun. */
bool next_round_takes_late(enum contest_format format);

#endif
