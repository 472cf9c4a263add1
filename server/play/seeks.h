/*
 * Seeks become matches: pairs those that wait (seek.h), once a turn of the loop, and shares them
 * with the servers that have the same keeper. A seek for which a server finds no partner of its own
 * is offered to the others: each has a copy of it (seeks_add_foreign()), and may pair it with a
 * seek that began there. The keeper lets only one of them do so.
 *
 * Tournaments open their matches here, too: both players sit down at once, even one who is away,
 * and the match runs from the start. When it is kept both get `paired`, then `state`.
 */
#ifndef LUDUS_SEEKS_H
#define LUDUS_SEEKS_H

#include "server.h"

/* Looks for partners for all seeks that have begun to wait, the oldest first, and opens the
 * matches. A seek whose match cannot be opened is looked at again after seeks_unblock(). */
void seeking_pair(struct server *server);

/* Another server has paired a seek of this one in this match: tells the player, unless that is
 * known here. */
void seeking_take(struct server *server, int64_t number, const struct table *table);

/* A match that the server opens by itself. */
struct pair_plan {
    struct player *players[2]; /* by colour; two different ones, borrowed for the call */
    const struct game *game;
    const struct position *start; /* borrowed for the call */
    struct clock clock;           /* as clock_fresh() makes it */
    bool casual;                  /* not to be rated */
    struct player *opener;        /* against whose limit of unfinished matches it counts; anyone */
    struct origin *origin;        /* and the limits of where they are; NULL: of no address */
    struct paired paired;         /* what the event tells beside the match */
};

/* Returns whether a match may be opened now that `opener` is answerable for; NULL: nobody is. If
 * not, try again later: there are too many matches, or the keeper has to be asked for more numbers,
 * which is done here. */
bool pair_may_open(struct server *server, const struct player *opener, const struct origin *origin);

/* Opens the match in a unit that has no table yet. Returns the draft, which the unit owns. */
struct table *pair_open(struct server *server, struct unit *unit, const struct pair_plan *pair);

/* Hands over a unit that pair_open() has made a match in. */
void pair_settle(struct server *server, struct unit *unit);

/* Takes back what was offered and does not wait any more. */
void seek_offers_withdraw(struct server *server);

/* Another server offers a seek, or not any more. */
void seek_offers_take(struct server *server, const struct offered_seek *offered);

/* Brings the seeks of others, and what others know of those of this server, up to date. The list is
 * ordered by server and number. */
void seek_offers_compare(struct server *server, const struct offered_seek *list, int count);

/* Drops the seeks of all servers but these; NULL: of all others. */
void seek_offers_drop_all_but(struct server *server, const struct nodes *alive);

#endif
