#include "opening_limit.h"

#include "rate_limit.h"

/* Finds the first address or network around it that has too many matches; NULL: none. */
static const struct origin *full_origin(const struct server *server, const struct origin *origin)
{
    for (; origin != NULL; origin = origin->wider)
        if (origin->unfinished >= server->limits.address_matches * origin->scale)
            break;
    return origin;
}

enum opening_limit opening_limit(const struct server *server, const struct player *opener,
                                 const struct origin *origin, const struct origin **full)
{
    const struct lobby *lobby = &server->lobby;
    int most = server->limits.unfinished;
    int used = lobby->open + lobby->playing + lobby->opening;
    int own = origin != NULL ? origin_widest(origin)->unfinished : 0;
    const struct origin *of = full_origin(server, origin);

    if (full != NULL)
        *full = of;
    if (opener != NULL && opener->unfinished >= server->limits.matches)
        return OPENING_OF_PLAYER;
    if (of != NULL)
        return OPENING_OF_ADDRESS;
    if (!rate_limit_leaves_share(used, most, own))
        return OPENING_SHARE;
    return used < most ? OPENING_FREE : OPENING_FULL;
}
