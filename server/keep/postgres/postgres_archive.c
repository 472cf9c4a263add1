/*
 * PostgreSQL as an archive: over a connection of its own, one question at a time. After a failure
 * nothing more is asked over it, as a question that was not sent would be answered in the place of
 * a later one, and outside of the transaction that it belongs to: what goes on begins with a new
 * one.
 */
#include "postgres_archive.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/json_text.h"
#include "common/move.h"
#include "common/xmalloc.h"
#include "server/keep/postgres/postgres.h"

enum {
    WAIT_MS = 100,
    SILENCE_MS = 60000,
    MATCHES_AT_A_TIME = 200,
    ROWS_AT_A_TIME = 10000,
    IMPORT_BYTES = 1 << 20
};

/* What an import fills, in this order. */
enum {
    ROWS_OF_PLAYERS,
    ROWS_OF_TOKENS,
    ROWS_OF_RATINGS,
    ROWS_OF_TOURNAMENTS,
    ROWS_OF_CHANGES,
    ROWS_OF_SERIES,
    ROWS_OF_SCORES,
    ROWS_OF_MATCHES,
    ROWS_OF_LOGS,
    ROWS_OF_REVIEWS,
    ROWS_OF_PUZZLES,
    ROWS_OF_ATTEMPTS,
    ROWS_KINDS
};

struct postgres_archive {
    struct database_address *address;
    int poller;
    struct postgres_link *link;
    bool failed;
    struct cause cause;
    /* The question: */
    answer_taker *taker;
    void *context;
    bool answered;
    int rows;
    /* The import: */
    struct buffer rows_of[ROWS_KINDS]; /* arrays of JSON that are not sent yet, open */
    unsigned doubts;                   /* link_doubts() as it began */
    int64_t last_number;               /* of a tournament, or a match that one knows of */
};

static void on_up(void *context)
{
    (void)context;
}

static void on_down(void *context, const char *why)
{
    struct postgres_archive *source = context;

    source->failed = true;
    cause_set(&source->cause, "database: %.150s", why);
}

static void on_notified(void *context, char *payload)
{
    (void)context, (void)payload;
}

static void take_answer(void *context, const struct answer *answer)
{
    struct postgres_archive *source = context;

    source->answered = true;
    source->rows = answer_rows(answer);
    if (answer->state != ANSWER_ROWS) {
        source->failed = true;
        cause_set(&source->cause, "database: %.150s", answer->message);
    } else if (source->taker != NULL) {
        source->taker(source->context, answer);
    }
}

static void wait_for_link(struct postgres_archive *source)
{
    link_tick(source->link, postgres_real_ms(), SILENCE_MS);
    links_wait(source->poller, postgres_real_ms(), WAIT_MS);
}

/* Asks, with a value for $1 (NULL: none), and waits for the answer. False with the cause in the
 * source. */
static bool ask_with(struct postgres_archive *source, const char *sql, const char *value,
                     answer_taker *taker, void *context)
{
    if (source->failed)
        return false;
    source->taker = taker;
    source->context = context;
    source->answered = false;
    link_ask(source->link, sql, &value, value != NULL, false, take_answer, source);
    while (!source->answered && !source->failed)
        wait_for_link(source);
    return !source->failed;
}

static bool ask(struct postgres_archive *source, const char *sql, answer_taker *taker,
                void *context)
{
    return ask_with(source, sql, NULL, taker, context);
}

/* Connects, in place of a connection that there may be. False with the cause in the source. */
static bool connect_source(struct postgres_archive *source)
{
    static const struct link_calls calls = {on_up, on_down, on_notified};

    link_free(source->link);
    source->link =
        link_new(source->address, source->poller, "SET search_path = ludus", &calls, source);
    source->failed = true;
    for (int host = 0; host < address_hosts(source->address) && source->failed; host++) {
        source->failed = false;
        while (!link_is_up(source->link) && !source->failed)
            wait_for_link(source);
    }
    return !source->failed;
}

struct postgres_archive *postgres_archive_open(const char *conninfo, struct cause *cause)
{
    struct database_address *address = address_new(conninfo, cause);

    if (address == NULL || !postgres_migrate(address, cause)) {
        address_free(address);
        return NULL;
    }
    struct postgres_archive *source = xcalloc(1, sizeof *source);
    source->address = address;
    source->poller = links_open();
    if (connect_source(source))
        return source;
    *cause = source->cause;
    postgres_archive_close(source);
    return NULL;
}

void postgres_archive_close(struct postgres_archive *source)
{
    link_free(source->link);
    for (int i = 0; i < ROWS_KINDS; i++)
        buffer_release(&source->rows_of[i]);
    close(source->poller);
    address_free(source->address);
    free(source);
}

struct visiting {
    match_visit *visit;
    player_visit *visit_player;
    token_visit *visit_token;
    review_visit *visit_review;
    row_visit *visit_row;
    const struct column *columns; /* of its rows: */
    int column_count;
    tournament_visit *visit_tournament;
    struct tournaments tournaments; /* owned; the one that is being read, */
    struct players players;         /* owned; and those of all */
    int64_t broken;                 /* the number of the last one that cannot be read */
    text_visit *tell;
    void *context;
    bool ended;
};

static void take_matches(void *context, const struct answer *answer)
{
    struct visiting *visiting = context;

    for (int row = 0; row < answer_rows(answer) && !visiting->ended; row++) {
        struct table head = {.number = row_number(answer, row)};
        struct cause broken;
        struct stored_match *stored = row_to_stored(answer, row, &broken);
        snprintf(head.id, sizeof head.id, "%s", row_id(answer, row));
        struct table *table = stored != NULL ? &stored->table : &head;
        bool good = stored != NULL && table->broken == NULL;
        visiting->ended = !visiting->visit(visiting->context, table, good ? NULL : &broken);
        stored_match_free(stored);
    }
}

/* Visits what a cursor `c` that the SQL declares finds, all as it stood at one moment, some at a
 * time. */
static bool visit_by_cursor(struct postgres_archive *source, const char *sql, int rows,
                            answer_taker *taker, struct visiting *visiting, struct cause *cause)
{
    char fetch[40];

    snprintf(fetch, sizeof fetch, "FETCH %d FROM c", rows);
    bool good = ask(source, "BEGIN ISOLATION LEVEL REPEATABLE READ", NULL, NULL) &&
                ask(source, sql, NULL, NULL);
    do
        good = good && ask(source, fetch, taker, visiting);
    while (good && source->rows > 0 && !visiting->ended);
    good = good && ask(source, "ROLLBACK", NULL, NULL);
    if (!good)
        *cause = source->cause;
    return good;
}

static bool visit_matches(void *context, match_visit *visit, void *visitor, struct cause *cause)
{
    struct visiting visiting = {.visit = visit, .context = visitor};
    struct buffer sql = {0};

    buffer_puts(&sql, "DECLARE c CURSOR FOR ");
    postgres_put_match_sql(&sql, "true ORDER BY m.number");
    bool good =
        visit_by_cursor(context, sql.bytes, MATCHES_AT_A_TIME, take_matches, &visiting, cause);
    buffer_release(&sql);
    return good;
}

static void take_texts(void *context, const struct answer *answer)
{
    const struct visiting *visiting = context;

    for (int row = 0; row < answer_rows(answer); row++)
        visiting->tell(visiting->context, answer_text(answer, row, 0));
}

static bool visit_texts(struct postgres_archive *source, const char *sql, text_visit *visit,
                        void *context, struct cause *cause)
{
    struct visiting visiting = {.tell = visit, .context = context};

    if (ask(source, sql, take_texts, &visiting))
        return true;
    *cause = source->cause;
    return false;
}

/* Reads columns of a row, from `column` on. The values borrow the answer, and the bytes. */
static void read_values(const struct answer *answer, int row, int column,
                        const struct column columns[], int count, struct value values[],
                        unsigned char bytes[TOKEN_HASH_BYTES])
{
    size_t length = 0;

    for (int i = 0; i < count; i++) {
        values[i] = row_value(answer, row, column + i, columns[i].type);
        if (columns[i].type != TYPE_BYTES || values[i].type == VALUE_NULL)
            continue;
        const char *hex = value_text(&values[i]);
        hex += *hex == '\\' ? strlen("\\x") : 0;
        sodium_hex2bin(bytes, TOKEN_HASH_BYTES, hex, strlen(hex), NULL, &length, NULL);
        values[i] = SQL_BLOB(bytes, length);
    }
}

static void take_players(void *context, const struct answer *answer)
{
    struct visiting *visiting = context;
    struct value player[PLAYER_COLUMNS], rating[RATING_COLUMNS];
    unsigned char hash[TOKEN_HASH_BYTES], none[TOKEN_HASH_BYTES];

    for (int row = 0; row < answer_rows(answer) && !visiting->ended; row++) {
        read_values(answer, row, 0, player_columns, PLAYER_COLUMNS, player, hash);
        read_values(answer, row, PLAYER_COLUMNS, rating_columns, RATING_COLUMNS, rating, none);
        visiting->ended = !visiting->visit_player(visiting->context, player, rating);
    }
}

static bool visit_players(void *context, player_visit *visit, void *visitor, struct cause *cause)
{
    struct postgres_archive *source = context;
    struct visiting visiting = {.visit_player = visit, .context = visitor};
    struct buffer sql = {0};

    columns_put_players_sql(&sql);
    bool good = ask(source, sql.bytes, take_players, &visiting);
    buffer_release(&sql);
    if (!good)
        *cause = source->cause;
    return good;
}

static void take_token_rows(void *context, const struct answer *answer)
{
    struct visiting *visiting = context;

    for (int row = 0; row < answer_rows(answer) && !visiting->ended; row++) {
        const char *hex = answer_text(answer, row, 2);
        struct token token = {.number = (int)answer_integer(answer, row, 1),
                              .since_s = answer_integer(answer, row, 4)};
        sodium_hex2bin(token.hash, sizeof token.hash, hex, strlen(hex), NULL, NULL, NULL);
        snprintf(token.label, sizeof token.label, "%s", answer_text(answer, row, 3));
        visiting->ended =
            !visiting->visit_token(visiting->context, answer_integer(answer, row, 0), &token);
    }
}

static bool visit_tokens(void *context, token_visit *visit, void *visitor, struct cause *cause)
{
    struct postgres_archive *source = context;
    struct visiting visiting = {.visit_token = visit, .context = visitor};

    if (ask(source,
            "SELECT player, number, encode(hash, 'hex'), label, since_s FROM token"
            " ORDER BY player, number",
            take_token_rows, &visiting))
        return true;
    *cause = source->cause;
    return false;
}

static void take_reviews(void *context, const struct answer *answer)
{
    struct visiting *visiting = context;

    for (int row = 0; row < answer_rows(answer) && !visiting->ended; row++)
        visiting->ended = !visiting->visit_review(visiting->context, answer_text(answer, row, 0),
                                                  answer_text(answer, row, 1));
}

static bool visit_reviews(void *context, review_visit *visit, void *visitor, struct cause *cause)
{
    struct visiting visiting = {.visit_review = visit, .context = visitor};

    return visit_by_cursor(context,
                           "DECLARE c CURSOR FOR SELECT m.id, r.lines FROM review r JOIN match m"
                           " ON m.number = r.match ORDER BY m.number",
                           MATCHES_AT_A_TIME, take_reviews, &visiting, cause);
}

static void take_rows(void *context, const struct answer *answer)
{
    struct visiting *visiting = context;
    struct value values[ROW_COLUMNS_MAX];
    unsigned char none[TOKEN_HASH_BYTES];

    for (int row = 0; row < answer_rows(answer) && !visiting->ended; row++) {
        read_values(answer, row, 0, visiting->columns, visiting->column_count, values, none);
        visiting->ended = !visiting->visit_row(visiting->context, values);
    }
}

static bool visit_puzzles(void *context, row_visit *visit, void *visitor, struct cause *cause)
{
    struct visiting visiting = {.visit_row = visit,
                                .columns = puzzle_columns,
                                .column_count = PUZZLE_COLUMNS,
                                .context = visitor};

    return visit_by_cursor(context,
                           "DECLARE c CURSOR FOR SELECT game, key, rating, deviation, volatility,"
                           " attempts FROM puzzle",
                           ROWS_AT_A_TIME, take_rows, &visiting, cause);
}

static bool visit_attempts(void *context, row_visit *visit, void *visitor, struct cause *cause)
{
    struct visiting visiting = {.visit_row = visit,
                                .columns = attempt_columns,
                                .column_count = ATTEMPT_COLUMNS,
                                .context = visitor};

    return visit_by_cursor(context, "DECLARE c CURSOR FOR SELECT player, game, key FROM attempt",
                           ROWS_AT_A_TIME, take_rows, &visiting, cause);
}

static bool visit_series(void *context, row_visit *visit, void *visitor, struct cause *cause)
{
    struct visiting visiting = {.visit_row = visit,
                                .columns = series_columns,
                                .column_count = SERIES_COLUMNS,
                                .context = visitor};

    return visit_by_cursor(context,
                           "DECLARE c CURSOR FOR SELECT name, director, game, variant, tournaments"
                           " FROM series",
                           ROWS_AT_A_TIME, take_rows, &visiting, cause);
}

static bool visit_scores(void *context, row_visit *visit, void *visitor, struct cause *cause)
{
    struct visiting visiting = {.visit_row = visit,
                                .columns = score_columns,
                                .column_count = SCORE_COLUMNS,
                                .context = visitor};

    return visit_by_cursor(context,
                           "DECLARE c CURSOR FOR SELECT series, player, tournaments, points2,"
                           " matches, played2, opponents FROM series_score",
                           ROWS_AT_A_TIME, take_rows, &visiting, cause);
}

static void take_people(void *context, const struct answer *answer)
{
    struct visiting *visiting = context;

    for (int row = 0; row < answer_rows(answer); row++)
        players_add_stored(&visiting->players, answer_integer(answer, row, 0),
                           record_kind(answer_text(answer, row, 2)), answer_text(answer, row, 1));
}

static void tell_broken(struct visiting *visiting, int64_t number, const char *why)
{
    struct cause broken;

    cause_set(&broken, "tournament t%" PRId64 ": %s", number, why);
    visiting->broken = number;
    visiting->ended = !visiting->visit_tournament(visiting->context, NULL, &broken);
}

/* Visits the tournament that has been read, if there is one, and goes on without it. */
static void end_tournament(struct visiting *visiting)
{
    const struct tournament *tournament = TAILQ_FIRST(&visiting->tournaments.list);
    struct cause fault;

    if (tournament != NULL && !visiting->ended && !record_tournament_is_sound(tournament, &fault))
        tell_broken(visiting, tournament->number, fault.text);
    else if (tournament != NULL && !visiting->ended)
        visiting->ended = !visiting->visit_tournament(visiting->context, tournament, NULL);
    tournaments_release(&visiting->tournaments);
    tournaments_init(&visiting->tournaments);
}

/* Takes the lines of each log, then the matches of that tournament. */
static void take_tournaments(void *context, const struct answer *answer)
{
    struct visiting *visiting = context;

    for (int row = 0; row < answer_rows(answer) && !visiting->ended; row++) {
        int64_t number = answer_integer(answer, row, 0);
        int place = (int)answer_integer(answer, row, 1);
        bool ended = !answer_is_null(answer, row, 4);
        if (tournaments_find_number(&visiting->tournaments, number) == NULL)
            end_tournament(visiting);
        if (visiting->ended || number == visiting->broken)
            continue;
        if (answer_is_null(answer, row, 2))
            tournament_log_replay_match(
                &visiting->tournaments, number, place, answer_integer(answer, row, 3),
                ended ? answer_text(answer, row, 4) : NULL, answer_text(answer, row, 5));
        else if (!tournament_log_replay_line(&visiting->tournaments, &visiting->players, number,
                                             answer_text(answer, row, 2))) {
            struct cause fault;
            cause_set(&fault, "line %d of its log is broken", place);
            tell_broken(visiting, number, fault.text);
            tournaments_release(&visiting->tournaments);
            tournaments_init(&visiting->tournaments);
        }
    }
}

static bool visit_tournaments(void *context, tournament_visit *visit, void *visitor,
                              struct cause *cause)
{
    struct visiting visiting = {.visit_tournament = visit, .context = visitor};
    struct postgres_archive *source = context;

    players_init(&visiting.players, 0);
    tournaments_init(&visiting.tournaments);
    bool good = ask(source,
                    "SELECT id, name, kind FROM player WHERE id IN"
                    " (SELECT unnest(players) FROM tournament_entry)",
                    take_people, &visiting);
    if (!good)
        *cause = source->cause;
    good = good && visit_by_cursor(source,
                                   "DECLARE c CURSOR FOR SELECT * FROM"
                                   " (SELECT tournament, version AS place, line, NULL::bigint,"
                                   "   NULL, NULL FROM tournament_entry UNION ALL"
                                   "  SELECT m.tournament, m.pairing, NULL, m.number,"
                                   "   CASE WHEN m.status = 'over' AND (t.ended IS NULL OR"
                                   "    m.ended < t.ended) THEN m.result END, m.reason"
                                   "  FROM match m JOIN tournament t ON t.number = m.tournament) x"
                                   " ORDER BY tournament, line IS NULL, place",
                                   MATCHES_AT_A_TIME, take_tournaments, &visiting, cause);
    if (good)
        end_tournament(&visiting);
    tournaments_release(&visiting.tournaments);
    players_release(&visiting.players);
    return good;
}

/* What keep() never leaves behind. */
static void verify_logs(void *source, text_visit *visit, void *context)
{
    static const char *const findings[] = {
        "SELECT 'match ' || match || ': its log has gaps' FROM entry GROUP BY match"
        " HAVING min(version) <> 1 OR max(version) <> count(*)",
        "SELECT 'match ' || number || ': it has no log' FROM match m WHERE NOT EXISTS"
        " (SELECT FROM entry WHERE match = number)",
        "SELECT 'match ' || match || ': it has a log only' FROM entry e WHERE NOT EXISTS"
        " (SELECT FROM match WHERE number = e.match) GROUP BY match"};
    struct cause cause;

    for (size_t i = 0; i < sizeof findings / sizeof findings[0]; i++)
        if (!visit_texts(source, findings[i], visit, context, &cause))
            visit(context, cause.text);
}

/* A match that is repaired. */
struct repairing {
    struct buffer sql; /* owned */
    bool good;
    struct cause cause;
};

static void take_broken(void *context, const struct answer *answer)
{
    struct repairing *repairing = context;

    repairing->good =
        answer_rows(answer) == 1 && row_to_repair(answer, 0, &repairing->sql, &repairing->cause);
}

static void take_mended(void *context, const struct answer *answer)
{
    struct repairing *repairing = context;
    struct stored_match *stored =
        answer_rows(answer) == 1 ? row_to_stored(answer, 0, &repairing->cause) : NULL;

    repairing->good = stored != NULL && stored->table.broken == NULL;
    stored_match_free(stored);
}

/* In a transaction: repairs a match that is locked, and reads it again. */
static bool mend(struct postgres_archive *source, int64_t number, struct repairing *repairing)
{
    struct buffer sql = {0};
    char which[60], tells[80];

    snprintf(which, sizeof which, "m.number = %" PRId64, number);
    postgres_put_match_sql(&sql, which);
    snprintf(tells, sizeof tells, "SELECT tell_again(0, '{%" PRId64 "}')", number);
    bool asked = ask(source, sql.bytes, take_broken, repairing) &&
                 (!repairing->good || (ask(source, repairing->sql.bytes, NULL, NULL) &&
                                       ask(source, sql.bytes, take_mended, repairing) &&
                                       ask(source, tells, NULL, NULL)));
    buffer_release(&sql);
    return asked && repairing->good;
}

static bool repair_match(void *context, int64_t number, struct cause *cause)
{
    struct postgres_archive *source = context;
    struct repairing repairing = {.cause = {.text = ""}};
    char lock[80];

    if (source->failed && !connect_source(source)) { /* one that failed may leave others be */
        *cause = source->cause;
        return false;
    }
    unsigned doubts = link_doubts(source->link);
    snprintf(lock, sizeof lock, "SELECT FROM match WHERE number = %" PRId64 " FOR UPDATE", number);
    bool good = ask(source, "BEGIN", NULL, NULL) && ask(source, lock, NULL, NULL) &&
                mend(source, number, &repairing);
    *cause = repairing.cause;
    buffer_release(&repairing.sql);
    good = ask(source, good ? "COMMIT" : "ROLLBACK", NULL, NULL) && good;
    if (source->failed) {
        *cause = source->cause;
        link_break(source->link, cause->text); /* undoes what is not committed */
    }
    if (good && link_doubts(source->link) != doubts)
        good = cause_set(cause, "the wait for a standby was cancelled: check it again");
    return good;
}

/* Sends the rows of a kind, if there are any: `sql` inserts those of the array $1. */
static bool send_rows(struct postgres_archive *source, int kind, const char *sql)
{
    struct buffer *rows = &source->rows_of[kind];

    if (rows->length == 0 || source->failed)
        return !source->failed;
    json_close(rows, ']');
    buffer_add(rows, "", 1);
    bool good = ask_with(source, sql, rows->bytes, NULL, NULL);
    rows->length = 0;
    return good;
}

/* Sends the rows of a kind into a table, with more columns that are the same for all. */
static bool send_columns(struct postgres_archive *source, int kind, const char *table,
                         const struct column columns[], uint64_t set, const char *more,
                         const char *values)
{
    struct buffer sql = {0};

    buffer_printf(&sql, "INSERT INTO %s (", table);
    columns_put_names(&sql, columns, set, "", "");
    buffer_printf(&sql, "%s) SELECT ", more);
    columns_put_names(&sql, columns, set, "", "");
    buffer_printf(&sql, "%s FROM jsonb_populate_recordset(NULL::%s, $1::jsonb)", values, table);
    buffer_add(&sql, "", 1);
    bool good = send_rows(source, kind, sql.bytes);
    buffer_release(&sql);
    return good;
}

/* Sends all rows. The first server that starts handles the deadlines of the matches. */
static bool send_all(struct postgres_archive *source)
{
    return send_columns(source, ROWS_OF_PLAYERS, "player", player_columns,
                        COLUMNS_ALL(PLAYER_COLUMNS), "", "") &&
           send_rows(source, ROWS_OF_TOKENS,
                     "INSERT INTO token SELECT * FROM jsonb_populate_recordset(NULL::token,"
                     " $1::jsonb)") &&
           send_columns(source, ROWS_OF_RATINGS, "rating", rating_columns,
                        COLUMNS_ALL(RATING_COLUMNS), "", "") &&
           send_rows(source, ROWS_OF_TOURNAMENTS,
                     "INSERT INTO tournament SELECT * FROM"
                     " jsonb_populate_recordset(NULL::tournament, $1::jsonb)") &&
           send_rows(source, ROWS_OF_CHANGES,
                     "INSERT INTO tournament_entry SELECT * FROM"
                     " jsonb_populate_recordset(NULL::tournament_entry, $1::jsonb)") &&
           send_columns(source, ROWS_OF_SERIES, "series", series_columns,
                        COLUMNS_ALL(SERIES_COLUMNS), "", "") &&
           send_columns(source, ROWS_OF_SCORES, "series_score", score_columns,
                        COLUMNS_ALL(SCORE_COLUMNS), "", "") &&
           send_columns(source, ROWS_OF_MATCHES, "match", match_columns, MATCH_SHARED,
                        ", tournament, pairing, round, home, due",
                        ", tournament, pairing, round, 0, '-infinity'") &&
           send_rows(source, ROWS_OF_LOGS,
                     "INSERT INTO entry (match, version, kind, ply, move, took_ms, white_ms,"
                     " black_ms, offers, at, eval, pv) SELECT match, version, kind, ply, move,"
                     " took_ms, white_ms, black_ms, offers, coalesce(to_timestamp(at_s),"
                     " service_now()), eval, pv FROM jsonb_to_recordset($1::jsonb) AS e (match"
                     " bigint, version int, kind \"char\", ply int, move text, took_ms bigint, "
                     "white_ms bigint,"
                     " black_ms bigint, offers int, at_s bigint, eval int, pv text)") &&
           send_rows(source, ROWS_OF_REVIEWS,
                     "INSERT INTO review SELECT number, lines FROM"
                     " jsonb_to_recordset($1::jsonb) AS r (id text, lines text)"
                     " JOIN match USING (id)") &&
           send_columns(source, ROWS_OF_PUZZLES, "puzzle", puzzle_columns,
                        COLUMNS_ALL(PUZZLE_COLUMNS), "", "") &&
           send_columns(source, ROWS_OF_ATTEMPTS, "attempt", attempt_columns,
                        COLUMNS_ALL(ATTEMPT_COLUMNS), "", "");
}

/* Begins a row. */
static struct buffer *begin_row(struct postgres_archive *source, int kind)
{
    struct buffer *json = &source->rows_of[kind];

    if (json->length == 0)
        json_open(json, NULL, '[');
    json_open(json, NULL, '{');
    return json;
}

/* Ends a row, and sends all of them when they are many. */
static bool end_row(struct postgres_archive *source, struct buffer *json, struct cause *cause)
{
    json_close(json, '}');
    if (json->length < IMPORT_BYTES || send_all(source))
        return true;
    *cause = source->cause;
    return false;
}

static void take_count(void *context, const struct answer *answer)
{
    *(int64_t *)context = answer_rows(answer) > 0 ? answer_integer(answer, 0, 0) : 0;
}

static bool begin_import(void *context, struct cause *cause)
{
    struct postgres_archive *source = context;
    int64_t there = 0;

    source->doubts = link_doubts(source->link);
    bool asked = ask(source, "BEGIN", NULL, NULL) &&
                 ask(source, "LOCK match, player", NULL, NULL) &&
                 ask(source,
                     "SELECT (SELECT count(*) FROM match) + (SELECT count(*) FROM player"
                     " WHERE kind <> 'house')",
                     take_count, &there) &&
                 (there > 0 || ask(source, "DELETE FROM player", NULL, NULL));
    if (!asked)
        *cause = source->cause;
    else if (there > 0)
        cause_set(cause, "database: it has matches or players already");
    return asked && there == 0;
}

static bool put_player(void *context, const struct value player[], struct cause *cause)
{
    struct buffer *json = begin_row(context, ROWS_OF_PLAYERS);

    columns_put_json(json, player_columns, COLUMNS_ALL(PLAYER_COLUMNS), player);
    return end_row(context, json, cause);
}

static bool put_token(void *context, int64_t player, const struct token *token, struct cause *cause)
{
    struct buffer *json = begin_row(context, ROWS_OF_TOKENS);

    json_integer(json, "player", player);
    token_put_json(json, token);
    return end_row(context, json, cause);
}

static bool put_rating(void *context, const struct value rating[], struct cause *cause)
{
    struct buffer *json = begin_row(context, ROWS_OF_RATINGS);

    columns_put_json(json, rating_columns, COLUMNS_ALL(RATING_COLUMNS), rating);
    return end_row(context, json, cause);
}

/* Adds an entry of the log. The clock of a match that goes on is charged from now on. */
static void put_entry(struct buffer *json, const struct table *stored, int ply)
{
    entry_put_json(json, stored, ply + 1, ply > 0 ? 'm' : 's', ply);
    if (stored->match.clock.base_ms == 0 || stored->match.status == MATCH_OVER)
        json_integer(json, "at_s", stored->changed_s);
}

static bool put_match(void *context, const struct table *stored, struct cause *cause)
{
    struct postgres_archive *source = context;
    struct match_record record;

    record_match(&record, stored, MATCH_SHARED, GUEST_IDS_STAY);
    struct buffer *json = begin_row(source, ROWS_OF_MATCHES);
    columns_put_json(json, match_columns, MATCH_SHARED, record.values);
    if (stored->tournament != 0) {
        json_integer(json, "tournament", stored->tournament);
        json_integer(json, "pairing", stored->pairing);
        json_integer(json, "round", stored->round);
    }
    json_close(json, '}');
    for (int ply = 0; ply < stored->match.ply_count; ply++) {
        json = begin_row(source, ROWS_OF_LOGS);
        put_entry(json, stored, ply);
        json_close(json, '}');
    }
    json = begin_row(source, ROWS_OF_LOGS);
    put_entry(json, stored, stored->match.ply_count);
    return end_row(source, json, cause);
}

static bool put_review(void *context, const char *match, const char *text, struct cause *cause)
{
    struct buffer *json = begin_row(context, ROWS_OF_REVIEWS);

    json_string(json, "id", match);
    json_string(json, "lines", text);
    return end_row(context, json, cause);
}

static bool put_puzzle(void *context, const struct value puzzle[], struct cause *cause)
{
    struct buffer *json = begin_row(context, ROWS_OF_PUZZLES);

    columns_put_json(json, puzzle_columns, COLUMNS_ALL(PUZZLE_COLUMNS), puzzle);
    return end_row(context, json, cause);
}

static bool put_attempt(void *context, const struct value attempt[], struct cause *cause)
{
    struct buffer *json = begin_row(context, ROWS_OF_ATTEMPTS);

    columns_put_json(json, attempt_columns, COLUMNS_ALL(ATTEMPT_COLUMNS), attempt);
    return end_row(context, json, cause);
}

/* What had no result when a tournament ended does not count: it ended before all matches do. */
static bool put_tournament(void *context, const struct tournament *tournament, struct cause *cause)
{
    struct postgres_archive *source = context;
    struct buffer *changes = &source->rows_of[ROWS_OF_CHANGES];

    if (changes->length == 0)
        json_open(changes, NULL, '[');
    int count = tournament_log_put_json(changes, tournament);
    for (int i = 0; i < tournament->contest.pairings.count; i++)
        if (source->last_number < tournament->matches[i])
            source->last_number = tournament->matches[i];
    if (source->last_number < tournament->number)
        source->last_number = tournament->number;
    struct buffer *json = begin_row(source, ROWS_OF_TOURNAMENTS);
    json_integer(json, "number", tournament->number);
    json_integer(json, "version", count);
    if (tournament_is_over(tournament))
        json_integer(json, "ended", 0);
    if (changes->length < IMPORT_BYTES)
        return end_row(source, json, cause);
    json_close(json, '}');
    return send_all(source) || cause_set(cause, "%s", source->cause.text);
}

static bool put_series(void *context, const struct value series[], struct cause *cause)
{
    struct buffer *json = begin_row(context, ROWS_OF_SERIES);

    columns_put_json(json, series_columns, COLUMNS_ALL(SERIES_COLUMNS), series);
    return end_row(context, json, cause);
}

static bool put_score(void *context, const struct value score[], struct cause *cause)
{
    struct buffer *json = begin_row(context, ROWS_OF_SCORES);

    columns_put_json(json, score_columns, COLUMNS_ALL(SCORE_COLUMNS), score);
    return end_row(context, json, cause);
}

/* Numbers go on above those that are known, also of matches that are not there any more. */
static bool commit_import(void *context, struct cause *cause)
{
    struct postgres_archive *source = context;
    char last_number[200];

    snprintf(last_number, sizeof last_number,
             "SELECT setval('match_number', (greatest(max(number), %" PRId64 ") / 1000 + 1) * 1000"
             " + 1, false), setval('ended', coalesce(max(ended), 0) + 1, false) FROM match",
             source->last_number);
    bool good = send_all(source) &&
                ask(source,
                    "SELECT setval('player_id', (coalesce(max(id), 0) / 1000000 + 1) * 1000000 + 1,"
                    " false) FROM player",
                    NULL, NULL) &&
                ask(source,
                    "UPDATE player SET last_token = (SELECT max(number) FROM token"
                    " WHERE player = id) WHERE id IN (SELECT player FROM token)",
                    NULL, NULL) &&
                ask(source, last_number, NULL, NULL) && ask(source, "COMMIT", NULL, NULL);
    if (!good)
        *cause = source->cause;
    else if (link_doubts(source->link) != source->doubts)
        good = cause_set(cause, "the wait for a standby was cancelled: check it");
    return good;
}

struct archive postgres_archive(struct postgres_archive *source)
{
    return (struct archive){.source = source,
                            .matches = visit_matches,
                            .players = visit_players,
                            .tokens = visit_tokens,
                            .reviews = visit_reviews,
                            .puzzles = visit_puzzles,
                            .attempts = visit_attempts,
                            .tournaments = visit_tournaments,
                            .series = visit_series,
                            .scores = visit_scores,
                            .repair = repair_match,
                            .verify = verify_logs,
                            .begin = begin_import,
                            .put_player = put_player,
                            .put_token = put_token,
                            .put_rating = put_rating,
                            .put_match = put_match,
                            .put_review = put_review,
                            .put_puzzle = put_puzzle,
                            .put_attempt = put_attempt,
                            .put_tournament = put_tournament,
                            .put_series = put_series,
                            .put_score = put_score,
                            .commit = commit_import};
}
