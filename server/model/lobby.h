/*
 * The lobby: every table the server knows, indexed by its id.
 *
 * The server owns the lobby, the lobby owns the tables and their matches. Finished tables are
 * kept for records and rematches until newer ones push them out. The lobby tells nobody anything;
 * announce.h does.
 */
#ifndef LUDUS_LOBBY_H
#define LUDUS_LOBBY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <time.h>

#include "origin.h"
#include "player.h"
#include "server/base/deadline.h"
#include "table.h"

struct lobby {
    struct origins *origins;                            /* borrowed */
    struct table *by_id;                                /* a hash table (hash_index.h) */
    TAILQ_HEAD(table_list, table) unfinished, finished; /* oldest first */
    struct deadlines deadlines;                         /* of the unfinished tables */
    int open, playing, over;
    int opening; /* new tables that are not in the lobby yet */
    int finished_max;
    int64_t opened, ended; /* so many matches were ever opened, and are over */
};

void lobby_init(struct lobby *lobby, struct origins *origins, int finished_max);
void lobby_release(struct lobby *lobby);

/* What a new table is opened with. */
struct table_plan {
    const struct game *game;
    const struct position *start; /* borrowed for the call */
    struct clock clock;
    bool is_private;
    struct player *creator; /* answerable for the match until it is over */
    struct origin *origin;  /* where that player is, or NULL */
    time_t date;
};

/* Makes a table with two open seats that is not in the lobby yet. Its id is a number, or hard to
 * guess if it is private. It counts among the unfinished matches of creator and origin. It ends
 * in lobby_add() or lobby_discard(). */
struct table *lobby_draft(struct lobby *lobby, const struct table_plan *plan);

/* Makes an empty table for one that was read from a store. The caller fills it in (and holds those
 * in its seats, player.h), then adds it. */
struct table *lobby_draft_stored(struct lobby *lobby, const char *id, int64_t number);

/* Makes the player answerable for a table that is not in the lobby yet. */
void lobby_set_creator(struct table *table, struct player *creator);

/* Adds a new table, or one that was read. Finished ones come in the order in which they ended. */
void lobby_add(struct lobby *lobby, struct table *table);

/* Frees a new table that was not kept. Its number is used again if no later one was given. */
void lobby_discard(struct lobby *lobby, struct table *table);

/* The table becomes what the draft is, which is freed. When its match is over now, it moves to the
 * finished ones. */
void lobby_settle(struct lobby *lobby, struct table *table, struct table *draft);

/* The number of a match that ends now, in a draft. */
int64_t lobby_number_end(struct lobby *lobby);

/* A draft that had such a number was dropped. */
void lobby_return_end(struct lobby *lobby, int64_t number);

/* A rematch was asked for from there; NULL: from where it does not count. */
void lobby_note_asked(struct lobby *lobby, struct table *table, struct origin *origin);

/* The table of that id, or NULL. */
struct table *lobby_find(const struct lobby *lobby, const char *id);

/* Frees the oldest finished tables beyond the limit. */
void lobby_trim(struct lobby *lobby);

#endif
