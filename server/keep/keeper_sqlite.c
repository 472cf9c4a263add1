/* Keeps in an SQLite file: all units of a batch are one transaction. */
#include <stdlib.h>

#include "common/xmalloc.h"
#include "keeper.h"
#include "store.h"

struct keeper_sqlite {
    struct keeper keeper;
    struct store *store; /* owned */
};

static struct store *store_of(const struct keeper *keeper)
{
    return ((const struct keeper_sqlite *)keeper)->store;
}

/* Writes the row of a player whom a match refers to, if there is none yet. */
static bool put_missing(struct store *store, const struct player *player)
{
    if (player == NULL || player->stored)
        return true;
    struct identity identity = player_identity(player);
    return store_put_player(store, player->id, &identity);
}

static bool put_table(struct store *store, const struct table_draft *draft)
{
    const struct table *next = draft->next;

    return put_missing(store, next->seats[WHITE].player) &&
           put_missing(store, next->seats[BLACK].player) && put_missing(store, next->creator) &&
           store_put_table(store, next, draft->table != NULL ? &draft->table->match : NULL);
}

static bool put_unit(struct store *store, const struct unit *unit)
{
    for (int i = 0; i < unit->table_count; i++)
        if (!put_table(store, &unit->tables[i]))
            return false;
    for (int i = 0; i < unit->rating_count; i++)
        if (!store_put_rating(store, &unit->ratings[i]))
            return false;
    return unit->player == NULL || store_put_player(store, unit->player->id, &unit->identity);
}

/* Writes the units from `first` to before `end` (NULL: to the last), or nothing. */
static bool put_units(struct store *store, const struct unit *first, const struct unit *end)
{
    if (!store_begin(store))
        return false;
    for (const struct unit *unit = first; unit != end; unit = TAILQ_NEXT(unit, link))
        if (!put_unit(store, unit)) {
            store_rollback(store);
            return false;
        }
    if (store_commit(store))
        return true;
    store_rollback(store);
    return false;
}

/* Writes units, and counts how long it took. */
static bool put_counted(struct keeper *keeper, const struct unit *first, const struct unit *end)
{
    int64_t begin_us = tally_now_us();
    bool kept = put_units(store_of(keeper), first, end);

    tally_commit(keeper->tally, kept, tally_now_us() - begin_us);
    return kept;
}

enum { PLAYED_PLIES_MIN = 2 }; /* each side has moved */

/* Remembers which rows are there now. */
static void note_kept(const struct unit *unit)
{
    for (int i = 0; i < unit->table_count; i++) {
        const struct table *next = unit->tables[i].next;
        if (next->creator != NULL)
            next->creator->stored = true;
        for (int color = WHITE; color <= BLACK; color++) {
            struct player *player = next->seats[color].player;
            if (player == NULL)
                continue;
            player->stored = true;
            if (next->match.ply_count >= PLAYED_PLIES_MIN)
                player_mark_played(player);
        }
    }
    if (unit->player != NULL)
        unit->player->stored = true;
}

/* Each unit by itself, so that one that cannot be written does not take others with it. */
static void keep_one_by_one(struct keeper *keeper, struct batch *batch)
{
    struct unit *unit;

    TAILQ_FOREACH (unit, &batch->units, link)
        if (unit_writes(unit) && !put_counted(keeper, unit, TAILQ_NEXT(unit, link)))
            unit->kept = KEPT_FAILED;
}

static bool writes_any(const struct batch *batch)
{
    const struct unit *unit;

    TAILQ_FOREACH (unit, &batch->units, link)
        if (unit_writes(unit))
            return true;
    return false;
}

static void keep(struct keeper *keeper, struct batch *batch)
{
    struct unit *unit;

    if (writes_any(batch) && !put_counted(keeper, TAILQ_FIRST(&batch->units), NULL))
        keep_one_by_one(keeper, batch);
    TAILQ_FOREACH (unit, &batch->units, link)
        if (unit->kept == KEPT)
            note_kept(unit);
    keeper->settled(keeper->context, batch);
}

static bool load(struct keeper *keeper, struct players *players, struct lobby *lobby,
                 int64_t now_ms, struct cause *cause)
{
    return store_load(store_of(keeper), players, lobby, now_ms, cause);
}

static bool find_match(struct keeper *keeper, const char *id, match_visit *visit, void *context,
                       struct cause *cause)
{
    return store_visit_one(store_of(keeper), id, visit, context, cause);
}

static int history(struct keeper *keeper, const struct player *player, const struct player *asker,
                   struct history_row *rows, int rows_max, int *total, struct cause *cause)
{
    return store_history(store_of(keeper), player, asker, rows, rows_max, total, cause);
}

static const char *error(const struct keeper *keeper)
{
    return store_error(store_of(keeper));
}

static void close_keeper(struct keeper *keeper)
{
    store_close(store_of(keeper));
    free(keeper);
}

struct keeper *keeper_sqlite(struct store *store)
{
    static const struct keeper_kind kind = {.keep = keep,
                                            .load = load,
                                            .find_match = find_match,
                                            .history = history,
                                            .error = error,
                                            .close = close_keeper};
    struct keeper_sqlite *keeper = xmalloc(sizeof *keeper);

    *keeper = (struct keeper_sqlite){.keeper = {.kind = &kind}, .store = store};
    return &keeper->keeper;
}
