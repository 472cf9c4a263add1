/* The store as a keeper, and as an archive. */
#include "keeper.h"

#include <sys/eventfd.h>

#include "server/base/log.h"
#include "store.h"

static const char *last_error(const struct keeper *keeper)
{
    return database_error(((const struct store *)keeper)->database);
}

static void close_store(struct keeper *keeper)
{
    store_close((struct store *)keeper);
}

static int wake_descriptor(const struct keeper *keeper)
{
    return ((const struct store *)keeper)->wake_fd;
}

static bool put_review(struct store *store, const char *match, const char *text)
{
    struct query *query =
        database_query(store->database, "INSERT OR IGNORE INTO review SELECT number, ?2 FROM match "
                                        "WHERE id = ?1 AND ended IS NOT NULL");

    QUERY_BIND(query, SQL_TEXT(match), SQL_TEXT(text));
    bool good = query_run(query);
    query_free(query);
    return good;
}

static void keep_review(struct keeper *keeper, const char *match, const char *text)
{
    struct store *store = (struct store *)keeper;

    if (database_begin(store->database)) {
        if (put_review(store, match, text) && database_commit(store->database))
            return;
        database_rollback(store->database);
    }
    log_line(LOG_ERROR, "event=review-not-kept error=%s",
             log_quote(database_error(store->database)).text);
}

struct keeper *keeper_sqlite(struct store *store)
{
    static const struct keeper_kind kind = {.keep = store_keep,
                                            .load = store_load,
                                            .look_up = store_look_up,
                                            .descriptor = wake_descriptor,
                                            .work = store_work,
                                            .keep_review = keep_review,
                                            .error = last_error,
                                            .close = close_store,
                                            .retire = store_retire};

    store->keeper.kind = &kind;
    store->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return &store->keeper;
}

static bool visit_matches(void *source, match_visit *visit, void *context, struct cause *cause)
{
    return store_visit(source, "ORDER BY m.number", SQL_NULL, visit, context, cause);
}

static bool visit_players(void *source, player_visit *visit, void *context, struct cause *cause)
{
    struct store *store = source;
    struct buffer sql = {.length = 0};
    struct value player[PLAYER_COLUMNS], rating[RATING_COLUMNS];
    bool goes_on = true;

    columns_put_players_sql(&sql);
    struct query *query = database_query(store->database, sql.bytes);
    buffer_release(&sql);
    while (goes_on && query_next(query)) {
        for (int i = 0; i < PLAYER_COLUMNS; i++)
            player[i] = query_value(query, i);
        for (int i = 0; i < RATING_COLUMNS; i++)
            rating[i] = query_value(query, PLAYER_COLUMNS + i);
        goes_on = visit(context, player, rating);
    }
    return store_finish(store, query, cause);
}

static bool visit_tokens(void *source, token_visit *visit, void *context, struct cause *cause)
{
    struct store *store = source;

    return store_visit_tokens(store, visit, context, cause);
}

static bool visit_reviews(void *source, review_visit *visit, void *context, struct cause *cause)
{
    struct store *store = source;
    struct query *query =
        database_query(store->database,
                       "SELECT id, lines FROM review JOIN match ON number = match ORDER BY number");

    while (query_next(query) && visit(context, query_text(query, 0), query_text(query, 1)))
        continue;
    return store_finish(store, query, cause);
}

/* Visits the rows of a table. */
static bool visit_rows(struct store *store, const char *sql, int columns, row_visit *visit,
                       void *context, struct cause *cause)
{
    struct query *query = database_query(store->database, sql);
    struct value row[ROW_COLUMNS_MAX];
    bool goes_on = true;

    while (goes_on && query_next(query)) {
        for (int i = 0; i < columns; i++)
            row[i] = query_value(query, i);
        goes_on = visit(context, row);
    }
    return store_finish(store, query, cause);
}

static bool visit_puzzles(void *source, row_visit *visit, void *context, struct cause *cause)
{
    return visit_rows(source,
                      "SELECT game, key, rating, deviation, volatility, attempts FROM puzzle",
                      PUZZLE_COLUMNS, visit, context, cause);
}

static bool visit_attempts(void *source, row_visit *visit, void *context, struct cause *cause)
{
    return visit_rows(source, "SELECT player, game, key FROM attempt", ATTEMPT_COLUMNS, visit,
                      context, cause);
}

static bool visit_tournaments(void *source, tournament_visit *visit, void *context,
                              struct cause *cause)
{
    return store_visit_tournaments(source, visit, context, cause);
}

static bool visit_series(void *source, row_visit *visit, void *context, struct cause *cause)
{
    return visit_rows(source, "SELECT name, director, game, variant, tournaments FROM series",
                      SERIES_COLUMNS, visit, context, cause);
}

static bool visit_scores(void *source, row_visit *visit, void *context, struct cause *cause)
{
    return visit_rows(source,
                      "SELECT series, player, tournaments, points2, matches, played2, opponents"
                      " FROM series_score",
                      SCORE_COLUMNS, visit, context, cause);
}

static bool count_retired(void *source, int64_t *retired, struct cause *cause)
{
    struct store *store = source;
    struct query *query = database_query(store->database, "SELECT count(*) FROM retired");

    if (query_next(query))
        *retired = query_integer(query, 0);
    return store_finish(store, query, cause);
}

static bool repair_match(void *source, int64_t number, struct cause *cause)
{
    return store_repair(source, number, cause);
}

/* Tells of pairings that a match contradicts. Of a tournament that is over the last matches may
 * have ended without counting. */
static void verify_pairings(void *source, text_visit *visit, void *context)
{
    struct store *store = source;
    struct cause cause;
    struct query *query = database_query(
        store->database,
        "SELECT 'tournament t' || t.number || ': pairing ' || (p.number + 1) || ' and match '"
        " || m.number || ' contradict each other' FROM pairing AS p"
        " JOIN tournament AS t ON t.number = p.tournament"
        " JOIN match AS m ON m.number = p.match"
        " JOIN entrant AS w ON w.tournament = t.number AND w.number = p.white"
        " JOIN entrant AS b ON b.tournament = t.number AND b.number = p.black"
        " WHERE m.white IS NOT w.player OR m.black IS NOT b.player OR"
        " (p.result <> CASE m.result WHEN '1-0' THEN 1 WHEN '0-1' THEN 2 WHEN '1/2-1/2' THEN 3"
        " ELSE 4 * (m.ended IS NOT NULL) END"
        " AND NOT (p.result = 0 AND t.status IN ('over', 'aborted')))"
        " ORDER BY t.number, p.number");

    while (query_next(query))
        visit(context, query_text(query, 0));
    if (!store_finish(store, query, &cause))
        visit(context, cause.text);
}

static void verify_store(void *source, text_visit *visit, void *context)
{
    struct store *store = source;

    database_verify(store->database, visit, context);
    store_check_retired(store, visit, context);
}

/* Ends the transaction of an import that cannot go on. */
static bool fail_import(struct store *store, struct cause *cause)
{
    cause_set(cause, "the store: %.150s", database_error(store->database));
    database_rollback(store->database);
    return false;
}

static bool begin_import(void *source, struct cause *cause)
{
    struct store *store = source;
    int64_t there = 0;

    if (!database_begin(store->database))
        return fail_import(store, cause);
    struct query *count = database_query(
        store->database, "SELECT (SELECT count(*) FROM match) + (SELECT count(*) FROM tournament)"
                         " + (SELECT count(*) FROM retired) + (SELECT count(*) FROM rating)"
                         " + (SELECT count(*) FROM player WHERE kind <> 'house')");
    /* Tokens of players who are gone are not to be those of others who get their ids. */
    struct query *drop_tokens = database_query(store->database, "DELETE FROM token");
    struct query *clear = database_query(store->database, "DELETE FROM player");
    if (query_next(count))
        there = query_integer(count, 0);
    query_finish(count);
    bool good = !query_failed(count) && there == 0 && query_run(drop_tokens) && query_run(clear);
    query_free(count);
    query_free(drop_tokens);
    query_free(clear);
    if (there == 0)
        return good || fail_import(store, cause);
    database_rollback(store->database);
    return cause_set(cause, "the store has matches or players already");
}

static bool import_player(void *source, const struct value player[], struct cause *cause)
{
    struct store *store = source;

    query_bind(store->put_player, player, PLAYER_COLUMNS);
    return query_run(store->put_player) || fail_import(store, cause);
}

static bool import_token(void *source, int64_t player, const struct token *token,
                         struct cause *cause)
{
    return store_put_token(source, player, token) || fail_import(source, cause);
}

static bool import_rating(void *source, const struct value rating[], struct cause *cause)
{
    struct store *store = source;

    query_bind(store->put_rating, rating, RATING_COLUMNS);
    return query_run(store->put_rating) || fail_import(store, cause);
}

/* A match that is over and has no move is not kept here. */
static bool import_match(void *source, const struct table *stored, struct cause *cause)
{
    bool is_kept = stored->match.status != MATCH_OVER || stored->match.ply_count > 0;

    return (is_kept ? store_put_match(source, stored, NULL)
                    : store_drop(source, stored->number, stored->ended)) ||
           fail_import(source, cause);
}

static bool import_review(void *source, const char *match, const char *text, struct cause *cause)
{
    return put_review(source, match, text) || fail_import(source, cause);
}

static bool import_puzzle(void *source, const struct value puzzle[], struct cause *cause)
{
    struct store *store = source;

    query_bind(store->put_puzzle, puzzle, PUZZLE_COLUMNS);
    return query_run(store->put_puzzle) || fail_import(store, cause);
}

static bool import_attempt(void *source, const struct value attempt[], struct cause *cause)
{
    struct store *store = source;

    query_bind(store->put_attempt, attempt, ATTEMPT_COLUMNS);
    return query_run(store->put_attempt) || fail_import(store, cause);
}

/* Adds a row to a table. */
static bool import_row(struct store *store, const char *sql, const struct value row[], int columns,
                       struct cause *cause)
{
    struct query *query = database_query(store->database, sql);

    query_bind(query, row, columns);
    bool good = query_run(query);
    query_free(query);
    return good || fail_import(store, cause);
}

static bool import_tournament(void *source, const struct tournament *tournament,
                              struct cause *cause)
{
    return store_put_tournament(source, tournament) || fail_import(source, cause);
}

static bool import_series(void *source, const struct value series[], struct cause *cause)
{
    return import_row(source,
                      "INSERT INTO series (name, director, game, variant, tournaments)"
                      " VALUES (?, ?, ?, ?, ?)",
                      series, SERIES_COLUMNS, cause);
}

static bool import_score(void *source, const struct value score[], struct cause *cause)
{
    return import_row(source,
                      "INSERT INTO series_score (series, player, tournaments, points2, matches,"
                      " played2, opponents) VALUES (?, ?, ?, ?, ?, ?, ?)",
                      score, SCORE_COLUMNS, cause);
}

/* No number is given again that a tournament knows of a match. */
static bool commit_import(void *source, struct cause *cause)
{
    return import_row(source,
                      "UPDATE counter SET opened = max(opened, (SELECT coalesce(max(match), 0)"
                      " FROM pairing))",
                      NULL, 0, cause) &&
           (database_commit(((struct store *)source)->database) || fail_import(source, cause));
}

struct archive store_archive(struct store *store)
{
    return (struct archive){.source = store,
                            .matches = visit_matches,
                            .players = visit_players,
                            .tokens = visit_tokens,
                            .reviews = visit_reviews,
                            .puzzles = visit_puzzles,
                            .attempts = visit_attempts,
                            .tournaments = visit_tournaments,
                            .series = visit_series,
                            .scores = visit_scores,
                            .count_retired = count_retired,
                            .repair = repair_match,
                            .verify = verify_store,
                            .verify_pairings = verify_pairings,
                            .begin = begin_import,
                            .put_player = import_player,
                            .put_token = import_token,
                            .put_rating = import_rating,
                            .put_match = import_match,
                            .put_review = import_review,
                            .put_puzzle = import_puzzle,
                            .put_attempt = import_attempt,
                            .put_tournament = import_tournament,
                            .put_series = import_series,
                            .put_score = import_score,
                            .commit = commit_import};
}
