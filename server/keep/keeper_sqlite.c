/* Keeps units in an SQLite file: a batch is one transaction. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keeper.h"
#include "store.h"

enum {
    KICKED_TEXT_MAX = KICKED_MAX * 21 + 1,
    SNAPSHOT_COLUMNS = 6,
    ROW_COLUMNS_MAX = 26 /* beside them */
};

static struct store *store_of(const struct keeper *keeper)
{
    return (struct store *)keeper;
}

static struct value or_null(bool there, struct value value)
{
    return there ? value : SQL_NULL;
}

static bool put_player(struct store *store, struct query *put, int64_t id,
                       const struct identity *identity)
{
    /* A row of that name belongs to a player that the registry has forgotten. */
    QUERY_BIND(store->free_name, SQL_TEXT(identity->name), SQL_INTEGER(id));
    if (!query_run(store->free_name))
        return false;
    QUERY_BIND(put, SQL_INTEGER(id), SQL_TEXT(identity->name),
               SQL_TEXT(player_kind_text(identity->kind)), SQL_INTEGER(identity->bot),
               or_null(identity->kind == PLAYER_NAMED,
                       SQL_BLOB(identity->token_hash, sizeof identity->token_hash)),
               SQL_INTEGER(identity->seen_s));
    return query_run(put);
}

/* Writes the row of a player that a match refers to, if there is none yet: a unit before this one
 * may have written a newer one, which memory does not have yet. */
static bool put_missing(struct store *store, const struct player *player)
{
    if (player == NULL || player->stored)
        return true;
    struct identity identity = player_identity(player);
    return put_player(store, store->add_player, player->id, &identity);
}

/* A time of the clock, of the side whose time runs as it was when its turn began. */
static struct value time_or_null(const struct match *match, int64_t ms)
{
    return or_null(match->clock.base_ms > 0, SQL_INTEGER(ms));
}

/* What a row says of the match as it stands: whoever reads it plays the moves from there on. */
struct snapshot {
    char position[POSITION_TEXT_MAX];
    struct value values[SNAPSHOT_COLUMNS]; /* in the order of the statements; borrow the position */
};

static void take_snapshot(struct snapshot *snapshot, const struct table *table)
{
    const struct match *match = &table->match;
    const struct value values[SNAPSHOT_COLUMNS] = {
        SQL_TEXT(snapshot->position),
        SQL_INTEGER(match->ply_count),
        SQL_INTEGER(table->changed_s),
        SQL_INTEGER(match_offer_bits(match)),
        time_or_null(match, match->clock.left_ms[WHITE]),
        time_or_null(match, match->clock.left_ms[BLACK])};

    match->game->format(&match->position, snapshot->position);
    memcpy(snapshot->values, values, sizeof values);
}

/* Runs a statement that has the columns of a snapshot, then these values. It must change one row.
 */
static bool put_snapshot(struct query *query, const struct table *table, const struct value *values,
                         size_t count)
{
    struct snapshot snapshot;
    struct value all[SNAPSHOT_COLUMNS + ROW_COLUMNS_MAX];

    assert(count <= ROW_COLUMNS_MAX);
    take_snapshot(&snapshot, table);
    memcpy(all, snapshot.values, sizeof snapshot.values);
    memcpy(all + SNAPSHOT_COLUMNS, values, count * sizeof *values);
    query_bind(query, all, (int)(SNAPSHOT_COLUMNS + count));
    return query_run_one(query);
}
#define PUT_SNAPSHOT(query, table, ...)                                                            \
    put_snapshot(query, table, (const struct value[]){__VA_ARGS__},                                \
                 sizeof((const struct value[]){__VA_ARGS__}) / sizeof(struct value))

static struct value id_or_null(const struct player *player)
{
    return player != NULL ? SQL_INTEGER(player->id) : SQL_NULL;
}

/* Writes the ids of the kicked. Those of guests can become others'. */
static void write_kicked(const struct table *table, char text[KICKED_TEXT_MAX])
{
    size_t length = 0;

    text[0] = '\0';
    for (int i = 0; i < table->kicked_count; i++)
        if (!table->kicked[i].is_guest)
            length += (size_t)snprintf(text + length, KICKED_TEXT_MAX - length, "%" PRId64 " ",
                                       table->kicked[i].player);
}

static struct value was_open_bits(const struct table *table)
{
    return SQL_INTEGER(table->seats[WHITE].was_open + 2 * table->seats[BLACK].was_open);
}

/* Writes the row of a new match. */
static bool add_match(struct store *store, const struct table *table)
{
    char kicked[KICKED_TEXT_MAX];
    const struct match *match = &table->match;
    const struct clock *clock = &match->clock;
    char variant[VARIANT_NAME_MAX], start[POSITION_TEXT_MAX];

    match->game->variant_name(&match->start, variant);
    match->game->format(&match->start, start);
    write_kicked(table, kicked);
    return PUT_SNAPSHOT(
        store->add_match, table, SQL_INTEGER(table->number), SQL_TEXT(table->id),
        SQL_INTEGER(table->is_private), SQL_INTEGER(!table->casual), SQL_TEXT(match->game->name),
        SQL_TEXT(variant), SQL_TEXT(start), SQL_INTEGER(table->date),
        SQL_TEXT(match_status_text(match->status)), SQL_INTEGER(table->started),
        SQL_TEXT(result_text(match->outcome.result)), SQL_TEXT(reason_text(match->outcome.reason)),
        or_null(table->ended != 0, SQL_INTEGER(table->ended)),
        id_or_null(table->seats[WHITE].player), id_or_null(table->seats[BLACK].player),
        SQL_INTEGER(table->seats[WHITE].joined), SQL_INTEGER(table->seats[BLACK].joined),
        id_or_null(table->creator), time_or_null(match, clock->base_ms),
        time_or_null(match, clock->increment_ms),
        or_null(table->rated[WHITE] > 0, SQL_REAL(table->rated[WHITE])),
        or_null(table->rated[BLACK] > 0, SQL_REAL(table->rated[BLACK])),
        or_null(table->once[0] != '\0', SQL_TEXT(table->once)),
        or_null(table->code[0] != '\0', SQL_TEXT(table->code)),
        or_null(kicked[0] != '\0', SQL_TEXT(kicked)), was_open_bits(table));
}

/* Writes a match that begins, or is taken back to its start as a seat becomes free. */
static bool put_seats(struct store *store, const struct table *table)
{
    const struct seat *white = &table->seats[WHITE], *black = &table->seats[BLACK];
    char kicked[KICKED_TEXT_MAX];

    write_kicked(table, kicked);
    return PUT_SNAPSHOT(store->put_seats, table, SQL_TEXT(match_status_text(table->match.status)),
                        SQL_INTEGER(table->started), id_or_null(white->player),
                        id_or_null(black->player), SQL_INTEGER(white->joined),
                        SQL_INTEGER(black->joined), or_null(kicked[0] != '\0', SQL_TEXT(kicked)),
                        was_open_bits(table), SQL_INTEGER(table->number));
}

/* Writes the end of a match, and later the offer of a rematch. Its creator is forgotten, unless
 * they have played it. */
static bool put_end(struct store *store, const struct table *table)
{
    const struct outcome *outcome = &table->match.outcome;

    if (!PUT_SNAPSHOT(store->put_end, table, SQL_TEXT(result_text(outcome->result)),
                      SQL_TEXT(reason_text(outcome->reason)), SQL_INTEGER(table->ended),
                      or_null(table->rated[WHITE] > 0, SQL_REAL(table->rated[WHITE])),
                      or_null(table->rated[BLACK] > 0, SQL_REAL(table->rated[BLACK])),
                      SQL_TEXT(store_lines_of(store, table)), SQL_INTEGER(table->number)))
        return false;
    if (table_seats_of(table, table->creator) != SEATS_NONE)
        return true;
    QUERY_BIND(store->drop_creator, SQL_INTEGER(table->number));
    return query_run(store->drop_creator);
}

/* Writes what has changed in the row of a match. Moves that do not end it go to the journal. */
static bool put_match(struct store *store, const struct table *next, const struct match *before)
{
    if (before == NULL)
        return add_match(store, next);
    if (next->match.status == MATCH_OVER)
        return put_end(store, next);
    if (before->status == MATCH_OPEN || next->match.status == MATCH_OPEN)
        return put_seats(store, next);
    return next->match.ply_count > before->ply_count ||
           PUT_SNAPSHOT(store->put_play, next, SQL_INTEGER(next->number));
}

#ifdef CHECK_KEPT
/* In test builds, after each write: the snapshot in the row must be one that the moves of the match
 * pass through, or else it could not be loaded. */
static void check_snapshot(struct store *store, const struct table *table)
{
    const struct match *match = &table->match;
    struct query *query =
        database_query(store->database, "SELECT plies, position FROM match WHERE number = ?");
    struct position position = match->start;
    char text[POSITION_TEXT_MAX];

    QUERY_BIND(query, SQL_INTEGER(table->number));
    bool there = query_next(query);
    int64_t plies = there ? query_integer(query, 0) : 0;
    for (int i = 0; i < plies && i < match->ply_count; i++)
        match->game->apply(&position, match->plies[i].move);
    match->game->format(&position, text);
    if (there && (plies > match->ply_count || strcmp(text, query_text(query, 1)) != 0)) {
        fprintf(stderr, "match %s, ply %d: the row has ply %" PRId64 ", %s\n", table->id,
                match->ply_count, plies, query_text(query, 1));
        abort();
    }
    query_free(query);
}
#endif

/* Writes what there is of a match, or, if it is over and nobody has moved, takes it away. */
static bool put_all(struct store *store, const struct table *next, const struct match *before)
{
    if (next->match.status == MATCH_OVER && next->match.ply_count == 0)
        return store_drop(store, next->number, next->ended);
    bool put = put_match(store, next, before) && store_put_moves(store, next, before);
#ifdef CHECK_KEPT
    if (put)
        check_snapshot(store, next);
#endif
    return put;
}

/* Writes a match. Only its end costs the more, the longer it was. */
static bool put_table(struct store *store, const struct table_draft *draft)
{
    const struct table *next = draft->next;
    const struct match *before = draft->table != NULL ? &draft->table->match : NULL;

    return put_missing(store, next->seats[WHITE].player) &&
           put_missing(store, next->seats[BLACK].player) && put_missing(store, next->creator) &&
           put_all(store, next, before);
}

static bool put_rating(struct store *store, const struct rating_draft *rating)
{
    QUERY_BIND(store->put_rating, SQL_INTEGER(rating->player->id), SQL_TEXT(rating->game->name),
               SQL_TEXT(rating->variant), SQL_REAL(rating->now.rating),
               SQL_REAL(rating->now.deviation), SQL_REAL(rating->now.volatility),
               SQL_INTEGER(rating->matches));
    return query_run(store->put_rating);
}

static bool put_unit(struct store *store, const struct unit *unit)
{
    for (int i = 0; i < unit->table_count; i++)
        if (!put_table(store, &unit->tables[i]))
            return false;
    for (int i = 0; i < unit->rating_count; i++)
        if (!put_rating(store, &unit->ratings[i]))
            return false;
    if (unit->change != NULL && !store_put_change(store, unit->change))
        return false;
    return unit->player == NULL ||
           put_player(store, store->put_player, unit->player->id, &unit->identity);
}

/* Writes the units from `first` to before `end` (NULL: to the last) in one transaction. */
static bool put_units(struct keeper *keeper, const struct unit *first, const struct unit *end)
{
    struct store *store = store_of(keeper);
    int64_t begin_us = tally_now_us();
    bool kept = database_begin(store->database);

    store_begin_lines(store);
    for (const struct unit *unit = first; kept && unit != end; unit = TAILQ_NEXT(unit, link))
        kept = put_unit(store, unit);
    kept = kept && store_put_lines(store) && database_commit(store->database);
    if (!kept)
        database_rollback(store->database);
    tally_commit(keeper->tally, kept, tally_now_us() - begin_us);
    return kept;
}

/* Writes each unit in its own transaction, so that one that fails does not take others with it. */
static void keep_one_by_one(struct keeper *keeper, struct batch *batch)
{
    struct unit *unit;

    TAILQ_FOREACH (unit, &batch->units, link)
        if (unit_writes(unit) && !put_units(keeper, unit, TAILQ_NEXT(unit, link)))
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

    if (writes_any(batch) && !put_units(keeper, TAILQ_FIRST(&batch->units), NULL))
        keep_one_by_one(keeper, batch);
    TAILQ_FOREACH (unit, &batch->units, link)
        if (unit->kept == KEPT)
            unit_note_kept(unit);
    keeper->calls->settled(keeper->context, batch);
}

static const char *error(const struct keeper *keeper)
{
    return database_error(store_of(keeper)->database);
}

static void close_keeper(struct keeper *keeper)
{
    store_close(store_of(keeper));
}

struct keeper *keeper_sqlite(struct store *store)
{
    static const struct keeper_kind kind = {.keep = keep,
                                            .load = store_load,
                                            .look_up = store_look_up,
                                            .error = error,
                                            .close = close_keeper,
                                            .retire = store_retire};

    store->keeper.kind = &kind;
    return &store->keeper;
}
