/*
 * A keeper: whoever remembers matches, players and ratings beyond the server's memory, be it a
 * file, or a database that many servers share. What counts is what the keeper has; the lobby and
 * the players in memory are a cache of it.
 *
 * The server hands over batches of units, one batch at a time. The keeper says for each unit
 * whether it is kept, then calls settled(): at once, or later from the event loop.
 */
#ifndef LUDUS_KEEPER_H
#define LUDUS_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/cause.h"
#include "server/base/tally.h"
#include "server/model/history.h"
#include "unit.h"

/* Units that are kept together. Nothing in it is in two of them. */
struct batch {
    struct unit_list units;
    int count;
};

struct keeper;
struct store;
struct stored_match;

/* Called with a match that was looked up. `broken` is NULL, or says what is wrong with the match:
 * then only the id can be relied upon. False ends the visit. */
typedef bool match_visit(void *context, struct stored_match *stored, const struct cause *broken);

struct keeper_kind {
    /* Whether waiting for more units gains nothing: every unit is a batch of its own. */
    bool at_once;
    /* Whether other servers write, too: units can be stale, and an answer may come later. */
    bool shared;
    /* Keeps a batch: sets `kept` of each unit in order and calls keeper->settled() once. Units
     * without anything to write are kept. The batch is borrowed until then. For a stale unit it
     * puts into the drafts what it has now. */
    void (*keep)(struct keeper *keeper, struct batch *batch);
    /* Reads everything into an empty registry and lobby, as the server starts. now_ms is that of
     * match.h. */
    bool (*load)(struct keeper *keeper, struct players *players, struct lobby *lobby,
                 int64_t now_ms, struct cause *cause);
    /* Looks up a match by its id; visits nothing if there is none. NULL: memory has them all. */
    bool (*find_match)(struct keeper *keeper, const char *id, match_visit *visit, void *context,
                       struct cause *cause);
    /* Reads the latest `rows_max` finished matches of a player that `asker` may see, the latest
     * first, and counts them all in *total. Returns how many rows were filled, or -1 with the
     * cause. NULL: memory has them all. */
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
    struct tally *tally; /* where its transactions are counted */
};

/* Keeps nothing: every unit counts as kept at once. The caller owns it. */
struct keeper keeper_none(void);

/* Opens a store (store.h) as keeper, which it owns from then on. */
struct keeper *keeper_sqlite(struct store *store);

#endif
