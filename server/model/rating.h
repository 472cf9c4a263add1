/*
 * The ratings of a player: one for each game and variant in which they have
 * played a rated match.
 * Kept in a list that the player owns. conclude.h says when a match is rated.
 */
#ifndef LUDUS_RATING_H
#define LUDUS_RATING_H

#include <sys/queue.h>

#include "common/game.h"
#include "glicko.h"

struct rating {
    const struct game *game;
    char variant[VARIANT_NAME_MAX];
    struct glicko now;
    int matches; /* rated ones; 0: only made ready */
    SLIST_ENTRY(rating) link;
};
SLIST_HEAD(rating_list, rating); /* the newest first; all zero is an empty list */

/* The rating in that game and variant, or NULL. */
struct rating *rating_find(const struct rating_list *list, const struct game *game,
                           const char *variant);

/* The rating in that game and variant; a beginner's is added where there is none. */
struct rating *rating_find_or_add(struct rating_list *list, const struct game *game,
                                  const char *variant);

/* The rating with the most matches, of several the one that was added first; NULL: none. */
const struct rating *rating_main(const struct rating_list *list);

/* Frees all ratings of a list. */
void ratings_release(struct rating_list *list);

#endif
