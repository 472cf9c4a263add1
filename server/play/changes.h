/*
 * Tells what a unit has changed: the difference between its tables before and after says what has
 * happened, whether this server did it or another one.
 */
#ifndef LUDUS_CHANGES_H
#define LUDUS_CHANGES_H

#include "server.h"
#include "server/keep/unit.h"

/* A table before a unit. */
struct table_before {
    enum match_status status; /* of a new match: open */
    bool started;
    struct player *opener; /* of a new match, held; else NULL */
    unsigned joined;       /* the seats that were taken, */
    struct player *sat[2]; /* and by whom, held; else NULL */
    int plies;
    uint32_t revision;
    bool offers[OFFER_KINDS][2];
};

struct changes {
    struct table_before before[UNIT_TABLES_MAX];
    bool was_guest; /* the player whose identity changes */
};

/* Notes how things are before the drafts of a unit take effect. */
void changes_begin(struct changes *changes, const struct unit *unit);

/* Tells everyone whom it concerns what the drafts have changed, now that they have taken effect,
 * and ends `changes`. Tables get their new deadlines. */
void changes_tell(struct server *server, struct unit *unit, struct changes *changes);

/* Tells of a move that another server has played in a match, which goes on. */
void changes_tell_move(struct server *server, struct table *table);

#endif
