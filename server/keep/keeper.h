/*
 * A keeper stores matches, players and ratings beyond the server's memory: in a file, or in a
 * database that many servers share. What counts is what the keeper has; the lobby and the players
 * in memory are a cache of it.
 *
 * The server hands over batches of units, one batch at a time. The keeper sets for each unit
 * whether it is kept, then calls settled(): at once, or later from the event loop. A server that is
 * released before that drops the batch: from then on the keeper must not touch it.
 */
#ifndef LUDUS_KEEPER_H
#define LUDUS_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/cause.h"
#include "server/base/tally.h"
#include "unit.h"

/* Units that are kept together. No table and no player is in two of them. */
struct batch {
    struct unit_list units;
    int count;
};

struct keeper;
struct store;

/* Called with a match that was looked up, in a table that is in no lobby and ends with the call.
 * Its people have only an id, a name and a kind. `broken` is NULL, or the reason why only its id
 * and number are reliable. False ends the visit. */
typedef bool match_visit(void *context, struct table *stored, const struct cause *broken);

struct keeper_kind {
    /* Waiting for more units gains nothing: every unit is a batch of its own. */
    bool at_once;
    /* Other servers write, too: units can be stale, and an answer may come later. */
    bool shared;
    /* Keeps a batch: sets `kept` of each unit in order and calls keeper->settled() once, until when
     * it borrows the batch. Units without anything to write are kept. The drafts of a stale unit
     * get what is kept now. */
    void (*keep)(struct keeper *keeper, struct batch *batch);
    /* Reads everything into an empty registry and lobby when the server starts. now_ms as in
     * match.h. */
    bool (*load)(struct keeper *keeper, struct players *players, struct lobby *lobby,
                 int64_t now_ms, struct cause *cause);
    /* Looks up a match by its id; visits nothing if there is none. NULL: memory has them all. */
    bool (*find_match)(struct keeper *keeper, const char *id, match_visit *visit, void *context,
                       struct cause *cause);
    /* Reads the latest `rows_max` finished matches of a player that `asker` may see, newest first,
     * and counts all of them in *total. Returns the number of rows filled, or -1 with the cause. */
    int (*history)(struct keeper *keeper, const struct player *player, const struct player *asker,
                   struct history_row *rows, int rows_max, int *total, struct cause *cause);
    /* Why the last unit failed. */
    const char *(*error)(const struct keeper *keeper);
    void (*close)(struct keeper *keeper);
};

struct keeper {
    const struct keeper_kind *kind;
    void (*settled)(void *context, struct batch *batch);
    void *context;
    struct tally *tally; /* counts its transactions */
};

/* Keeps nothing: every unit counts as kept at once. The caller owns it. */
struct keeper keeper_none(void);

/* Makes a store (store.h) a keeper, which owns it from then on. */
struct keeper *keeper_sqlite(struct store *store);

#endif
