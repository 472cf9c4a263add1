/*
 * Rating a match that has ended. A match is a rating period of its own for both players, and both
 * are rated by the values from before it.
 */
#ifndef LUDUS_RATE_H
#define LUDUS_RATE_H

#include <stdbool.h>

#include "lobby.h"

enum { RATED_PLIES_MIN = 2 }; /* each side has moved */

/* What a match has done to the rating of one player. */
struct rating_change {
    struct player *player;       /* borrowed */
    struct rating *rating;       /* in his list, changed already */
    struct glicko glicko_before; /* what it was; rating->matches was one less */
};

/* Whether the match counts for the ratings: it is over with a result after at least
 * RATED_PLIES_MIN plies, began at the start of its variant, and two different players sat there,
 * both named or house bots. */
bool match_is_rated(const struct table *table);

/* Rates both players of a match that has just ended, keeps their new ratings in table->rated, and
 * fills `changes` by colour. False, with nothing changed, when the match is not rated, was rated
 * before, or memory ran out (which is logged). */
bool rate_match(struct table *table, struct rating_change changes[2]);

/* Puts a rating back. */
void rate_undo(const struct rating_change *change);

#endif
