#include "rating.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

struct rating *rating_find(const struct rating_list *list, const struct game *game,
                           const char *variant)
{
    struct rating *rating;

    SLIST_FOREACH(rating, list, link)
    if (rating->game == game && strcmp(rating->variant, variant) == 0)
        return rating;
    return NULL;
}

struct rating *rating_find_or_add(struct rating_list *list, const struct game *game,
                                  const char *variant)
{
    struct rating *rating = rating_find(list, game, variant);

    if (rating != NULL)
        return rating;
    rating = xcalloc(1, sizeof *rating);
    rating->game = game;
    rating->now = glicko_start();
    snprintf(rating->variant, sizeof rating->variant, "%s", variant);
    SLIST_INSERT_HEAD(list, rating, link);
    return rating;
}

const struct rating *rating_main(const struct rating_list *list)
{
    const struct rating *rating, *most = NULL;

    SLIST_FOREACH(rating, list, link)
    if (rating->matches > 0 && (most == NULL || rating->matches >= most->matches))
        most = rating;
    return most;
}

void ratings_release(struct rating_list *list)
{
    struct rating *rating;

    while ((rating = SLIST_FIRST(list)) != NULL) {
        SLIST_REMOVE_HEAD(list, link);
        free(rating);
    }
}
