/* The limits on opening matches, for matches that players open and those that the server opens. */
#ifndef LUDUS_OPENING_LIMIT_H
#define LUDUS_OPENING_LIMIT_H

#include "server.h"

enum opening_limit {
    OPENING_FREE,
    OPENING_OF_PLAYER,  /* the opener has too many unfinished matches */
    OPENING_OF_ADDRESS, /* an address or network has */
    OPENING_SHARE,      /* the last places are for networks with few matches */
    OPENING_FULL        /* the server is: referee_make_room() may help */
};

/* Finds the first limit that stands against one more match of `opener`, opened at `origin`; either
 * may be NULL, and then does not count. With OPENING_OF_ADDRESS, *full (may be NULL) is the address
 * or network. */
enum opening_limit opening_limit(const struct server *server, const struct player *opener,
                                 const struct origin *origin, const struct origin **full);

#endif
