/* Brings a store into an engine, in one transaction. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/buffer.h"
#include "common/move.h"
#include "postgres_archive.h"
#include "server/keep/postgres/link/postgres_blocking.h"
#include "server/keep/postgres/postgres_schema.h"
#include "server/keep/store.h"

struct import {
    struct store *store;
    struct blocking *engine;
    struct buffer sql;
    long players, matches;
    struct cause cause;
};

/* Appends a text as SQL; NULL becomes null. */
static void put_text(struct buffer *sql, const char *text)
{
    if (text == NULL) {
        buffer_puts(sql, "NULL");
        return;
    }
    buffer_puts(sql, "'");
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            buffer_puts(sql, "'");
        buffer_add(sql, text, 1);
    }
    buffer_puts(sql, "'");
}

static void put_texts(struct buffer *sql, const char *const *texts, int count)
{
    for (int i = 0; i < count; i++) {
        put_text(sql, texts[i]);
        buffer_puts(sql, ", ");
    }
}

/* Runs what was built, and begins anew. */
static bool run(struct import *import)
{
    buffer_add(&import->sql, "", 1);
    bool good = blocking_run(import->engine, import->sql.bytes, NULL, &import->cause);
    import->sql.length = 0;
    return good;
}

/* Copies the rows that a query makes into SQL: each has one column, a statement. */
static bool copy_rows(struct import *import, const char *sql, long *count)
{
    struct query *query = database_query(import->store->database, sql);
    bool good = true;

    while (good && query_next(query)) {
        buffer_puts(&import->sql, query_text(query, 0));
        good = run(import);
        ++*count;
    }
    return store_finish(import->store, query, &import->cause) && good;
}

static bool copy_people(struct import *import)
{
    long ratings = 0;

    return copy_rows(
               import,
               "SELECT 'INSERT INTO player (id, name, kind, bot, token_hash, seen_s) VALUES ('"
               " || id || ', ' || quote(name) || ', ' || quote(kind) || ', ' ||"
               " iif(bot, 'true', 'false') || ', ' || iif(token_hash IS NULL, 'NULL',"
               " '''\\x' || hex(token_hash) || '''') || ', ' || seen_s || ')' FROM player ORDER "
               "BY id",
               &import->players) &&
           copy_rows(import,
                     "SELECT 'INSERT INTO rating VALUES (' || player || ', ' || quote(game) || ', '"
                     " || quote(variant) || ', ' || rating || ', ' || deviation || ', ' ||"
                     " volatility || ', ' || matches || ')' FROM rating",
                     &ratings);
}

static void put_id(struct buffer *sql, const struct player *player)
{
    if (player != NULL)
        buffer_printf(sql, "%" PRId64 ", ", player->id);
    else
        buffer_puts(sql, "NULL, ");
}

static void put_match(struct buffer *sql, const struct table *stored)
{
    const struct match *match = &stored->match;
    char variant[VARIANT_NAME_MAX], start[POSITION_TEXT_MAX];
    bool over = match->status == MATCH_OVER;

    match->game->variant_name(&match->start, variant);
    match->game->format(&match->start, start);
    buffer_puts(
        sql,
        "INSERT INTO match (id, once, game, variant, start, status, result, reason, number,"
        " private, rated, started, opened_s, base_ms, increment_ms, white_joined, black_joined,"
        " ended, white_rating, black_rating, creator, white, black, home, due) VALUES (");
    const char *const texts[] = {stored->id,
                                 stored->once[0] != '\0' ? stored->once : NULL,
                                 match->game->name,
                                 variant,
                                 start,
                                 match_status_text(match->status),
                                 result_text(match->outcome.result),
                                 over ? reason_text(match->outcome.reason) : NULL};
    put_texts(sql, texts, sizeof texts / sizeof texts[0]);
    buffer_printf(sql,
                  "%" PRId64 ", %d::bool, %d::bool, %d::bool, %" PRId64 ", nullif(%" PRId64
                  ", 0), CASE WHEN %" PRId64 " > 0 THEN %" PRId64
                  " END, %d::bool, %d::bool, nullif(%" PRId64 ", 0), nullif(%.17g, 0),"
                  " nullif(%.17g, 0), ",
                  stored->number, stored->is_private, !stored->casual, stored->started,
                  (int64_t)stored->date, match->clock.base_ms, match->clock.base_ms,
                  match->clock.increment_ms, stored->seats[WHITE].joined,
                  stored->seats[BLACK].joined, stored->ended, stored->rated[WHITE],
                  stored->rated[BLACK]);
    put_id(sql, over ? NULL : stored->creator);
    put_id(sql, stored->seats[WHITE].player);
    put_id(sql, stored->seats[BLACK].player);
    buffer_puts(sql, "0, '-infinity');"); /* the first server looks what is due */
}

/* Appends one entry of the log. Time is charged from the first one that a server reads on. */
static void put_entry(struct buffer *sql, const struct table *stored, int ply)
{
    const struct match *match = &stored->match;
    bool clock = match->clock.base_ms > 0;
    int offers = ply == match->ply_count ? match_offer_bits(match) : 0;
    struct ply_note note = {.eval = EVAL_NONE};
    char move[MOVE_TEXT_MAX] = "", pv[PV_TEXT_MAX] = "";

    if (ply > 0) {
        move_format(&match->start, match->plies[ply - 1].move, move);
        note = match->plies[ply - 1].note;
        pv_text(match, &note, ',', pv);
    }
    buffer_printf(sql,
                  "INSERT INTO entry VALUES (%" PRId64 ", %d, '%c', %d, '%s', %" PRIu32 ", %" PRId64
                  ", %" PRId64 ", %d, service_now(), nullif(%d, %d), nullif('%s', ''));",
                  stored->number, ply + 1, ply > 0 ? 'm' : 's', ply, move,
                  ply > 0 ? match->plies[ply - 1].took_ms : 0,
                  clock ? match->clock.left_ms[WHITE] : -1,
                  clock ? match->clock.left_ms[BLACK] : -1, offers, note.eval, EVAL_NONE, pv);
}

static bool copy_match(void *context, struct table *stored, const struct cause *broken)
{
    struct import *import = context;

    if (broken != NULL)
        return cause_set(&import->cause, "match %s: %.160s", stored->id, broken->text);
    put_match(&import->sql, stored);
    for (int ply = 0; ply <= stored->match.ply_count; ply++)
        put_entry(&import->sql, stored, ply);
    import->matches++;
    return run(import);
}

static bool copy_all(struct import *import)
{
    struct archive archive = store_archive(import->store);
    struct cause unread = {.text = ""};
    int there = 0;

    if (!blocking_run(import->engine,
                      "BEGIN; SET LOCAL search_path = ludus; LOCK match, player;"
                      "SELECT (SELECT count(*) FROM match) + (SELECT count(*) FROM player"
                      " WHERE kind <> 'house')",
                      &there, &import->cause))
        return false;
    if (there > 0)
        return cause_set(&import->cause, "engine: it has matches or players already");
    buffer_puts(&import->sql, "DELETE FROM player");
    if (!run(import) || !copy_people(import) ||
        !archive.matches(import->store, copy_match, import, &unread) ||
        import->cause.text[0] != '\0') {
        if (import->cause.text[0] == '\0')
            import->cause = unread;
        return false;
    }
    buffer_puts(&import->sql,
                "SELECT setval('player_id', (coalesce(max(id), 0) / 1000000 + 1) * 1000000 + 1,"
                " false) FROM player;"
                "SELECT setval('match_number', (coalesce(max(number), 0) / 1000 + 1) * 1000 + 1,"
                " false) FROM match;"
                "SELECT setval('ended', coalesce(max(ended), 0) + 1, false) FROM match; COMMIT");
    return run(import);
}

int postgres_import(const char *conninfo, struct store *store)
{
    struct import import = {.store = store};
    struct engine_address *address = engine_address_new(conninfo, &import.cause);

    if (address != NULL && postgres_migrate(address, &import.cause))
        import.engine = blocking_open(address, &import.cause);
    bool good = import.engine != NULL && copy_all(&import);
    blocking_close(import.engine);
    engine_address_free(address);
    buffer_release(&import.sql);
    if (good)
        printf("%ld players, %ld matches\n", import.players, import.matches);
    else
        fprintf(stderr, "ludusd: %s\n", import.cause.text);
    return good ? 0 : 1;
}
