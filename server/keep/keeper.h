/*
 * A keeper stores matches, players and ratings beyond the server's memory: in a file, or in an
 * engine, a database that many servers share. What counts is what the keeper has; the lobby and the
 * players in memory are a cache of it.
 *
 * The server hands over batches of units, one batch at a time. The keeper sets for each unit
 * whether it is kept, then calls settled(): at once, or later from the event loop. A server that is
 * released before that drops the batch: from then on the keeper must not touch it.
 *
 * With an engine the lobby has only the matches that somebody needs here. The keeper brings them
 * there, passes on what other servers change, and lets them go when nobody here needs them.
 */
#ifndef LUDUS_KEEPER_H
#define LUDUS_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/cause.h"
#include "look_up.h"
#include "server/base/nodes.h"
#include "server/base/tally.h"
#include "unit.h"

/* Units that are kept together. No table and no player is in two of them. */
struct batch {
    struct unit_list units;
    int count;
};

struct keeper;

/* A seek that servers which share a keeper offer each other. */
struct offered_seek {
    int node; /* the server where it began */
    int64_t number;
    const char *text; /* borrowed; as that server tells it */
    int64_t match;    /* the number of the match in which it has ended; 0: it waits */
};

/* A keeper's calls to the server. Only settled() can be called from within keep(), and only found()
 * from within nothing: look_up() returns true instead. All others come from work() and tick(). */
struct keeper_calls {
    void (*settled)(void *context, struct batch *batch);
    /* A look-up that had to wait is answered. */
    void (*found)(void *context, struct look_up *look_up);
    /* A match has come into the lobby, and is held. */
    void (*loaded)(void *context, struct table *table);
    /* Another server has played a move in a match that is held, which goes on. The table has it. */
    void (*moved)(void *context, struct table *table);
    /* Another server has changed a match that is held. `fresh` is a draft (table.h) with what is
     * kept now; the server owns it from then on. The table is not locked. */
    void (*changed)(void *context, struct table *table, struct table *fresh);
    /* Another server tells something about a match that is held, or (NULL) about none. */
    void (*told)(void *context, struct table *table, const char *event);
    /* A player who was connected here has come back at another server. */
    void (*replaced)(void *context, struct player *player);
    /* Another server offers a seek (text as that one told it), or (NULL) does not any more. */
    void (*seek)(void *context, const struct offered_seek *seek);
    /* All seeks that are offered, this server's own included. */
    void (*seeks)(void *context, const struct offered_seek *list, int count);
    /* Another server has paired a seek of this one, in this match. */
    void (*seek_taken)(void *context, int64_t number, struct table *table);
    /* The servers that are alive, this one included. */
    void (*nodes)(void *context, const struct nodes *nodes);
    /* This server was taken for dead. Everyone has to leave, and what is ready is dropped. Then the
     * keeper answers its batch, forgets all matches, and joins as a new one. */
    void (*lost)(void *context);
    /* Whether the engine can be used, and why not. `away_ms` says for how long it could not be,
     * once it can again: that time is charged to nobody. Also when is_current() is true again. */
    void (*health)(void *context, bool works, const char *why, int64_t away_ms);
};

/* The finished matches that go from a store into the files of their months. */
struct retention {
    int64_t before_s;     /* those that ended earlier; 0: none for their age */
    int64_t bytes_max;    /* the oldest while the store has more than so many; 0: unlimited */
    int64_t before_ended; /* only those with a lower `ended`: the others are in memory */
};

struct keeper_kind {
    /* Waiting for more units gains nothing: every unit is a batch of its own. */
    bool at_once;
    /* Other servers write, too: units can be stale, and an answer may come later. */
    bool shared;
    /* Keeps a batch: sets `kept` of each unit in order and calls settled() once, until when it
     * borrows the batch. Units without anything to write are kept. The drafts of a stale unit get
     * what is kept now. */
    void (*keep)(struct keeper *keeper, struct batch *batch);
    /* Reads what a server needs into an empty registry and lobby when it starts: everything, or,
     * from a shared keeper, house bots only. now_ms as in match.h. */
    bool (*load)(struct keeper *keeper, struct players *players, struct lobby *lobby,
                 int64_t now_ms, struct cause *cause);
    /* Answers a look-up: true at once, or false, and found() is called later. NULL: memory has all
     * there is. A store answers LOOK_RECORD and LOOK_HISTORY, as memory has the rest. */
    bool (*look_up)(struct keeper *keeper, struct look_up *look_up);
    /* Why the last unit failed. */
    const char *(*error)(const struct keeper *keeper);
    void (*close)(struct keeper *keeper);
    /* Retires a few matches. Returns how many, -1 with the cause. NULL: it cannot. */
    int (*retire)(struct keeper *keeper, const struct retention *retention, struct cause *cause);

    /* For shared keepers only; NULL otherwise. */

    /* Tells all other servers that hold the match; `table` NULL: all others. Nobody is told twice,
     * but what is told can get lost. One line without its end. */
    void (*tell)(struct keeper *keeper, const struct table *table, const char *event);
    /* Offers a seek of this server to all others, again if what is told of it changes; `text` NULL:
     * it does not wait any more. A unit that pairs two that are offered (struct paired) is stale
     * unless both still wait. NULL: the servers do not share seeks. */
    void (*offer_seek)(struct keeper *keeper, int64_t number, const char *text);
    /* The descriptor that is readable when work() has something to do; the same all the time. */
    int (*descriptor)(const struct keeper *keeper);
    void (*work)(struct keeper *keeper, int64_t now_ms);
    /* The loop's turn ends: what was looked up during it is asked for at once. */
    void (*end_turn)(struct keeper *keeper);
    /* Whether the engine has answered lately. If not, this server may count as dead, and what it
     * has in memory may be old: lines have to wait for health(). */
    bool (*is_current)(const struct keeper *keeper);
    /* Returns the time since the engine last answered; it is asked once a second. */
    int64_t (*silence_ms)(const struct keeper *keeper);
    /* Once a second: signs of life, timeouts. */
    void (*tick)(struct keeper *keeper, int64_t now_ms);
};

struct keeper {
    const struct keeper_kind *kind;
    const struct keeper_calls *calls;
    void *context;
    struct tally *tally; /* counts its transactions */
};

/* Whether the keeper has matches and players that are not in memory, as others write, too. */
static inline bool keeper_has_more(const struct keeper *keeper)
{
    return keeper->kind->tell != NULL;
}

/* Keeps nothing: every unit counts as kept at once. The caller owns it. */
struct keeper keeper_none(void);

struct store;

/* Makes a store (store.h) a keeper, which owns it from then on. */
struct keeper *keeper_sqlite(struct store *store);

/* Connects to PostgreSQL, where `conninfo` says, and brings its schema up to date, which blocks.
 * `self` is this server, and another one is dead that was not heard of for `timeout_s`. NULL with
 * the cause. */
struct keeper *keeper_postgres(const char *conninfo, const struct node *self, int timeout_s,
                               struct cause *cause);

enum { KEEPER_FILES_MAX = 4 };

/* The files that connecting to PostgreSQL again reads. Returns how many; borrowed. */
int keeper_postgres_files(const struct keeper *keeper, const char *files[KEEPER_FILES_MAX]);

#endif
