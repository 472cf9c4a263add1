/*
 * Matches that the server opens by itself, between two players whom a seek or a tournament has
 * brought together. Both sit down at once, also one who is away, and the match runs from the
 * start. When it is kept both get `paired`, then `state`.
 */
#ifndef LUDUS_PAIR_H
#define LUDUS_PAIR_H

#include "server/play/server.h"

struct pairing {
    struct player *players[2]; /* by colour; two different ones, borrowed for the call */
    const struct game *game;
    const struct position *start; /* borrowed for the call */
    struct clock clock;           /* as clock_fresh() makes it */
    bool casual;                  /* not to be rated */
    struct player *opener;        /* against whose limit of unfinished matches it counts; anyone */
    struct origin *origin;        /* and the limits of where they are; NULL: of no address */
    struct paired paired;         /* what the event tells beside the match */
};

/* Whether a match may be opened now that `opener` is answerable for; NULL: nobody is. If not, try
 * again later: there are too many matches, or the keeper has to be asked for more numbers, which is
 * done here. */
bool pair_may_open(struct server *server, const struct player *opener, const struct origin *origin);

/* Opens the match in a unit that has no table yet. Returns the draft, which the unit owns. */
struct table *pair_open(struct server *server, struct unit *unit, const struct pairing *pairing);

/* Opens and starts the match in a unit of its own. unit->ended, `ended` here, hears what has become
 * of it; NULL: nobody does. */
void pair_start(struct server *server, const struct pairing *pairing,
                void (*ended)(void *context, const struct unit *unit), void *context);

/* Hands over a unit that pair_open() has made a match in. */
void pair_settle(struct server *server, struct unit *unit);

#endif
