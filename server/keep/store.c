/* Opens the store and writes it: units, a batch in a transaction, and the moves of matches. */
#include "store.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/xmalloc.h"
#include "server/base/folder.h"
#include "server/tournament/standings.h"

/* The finished matches that ?1 played with that colour, that ended before ?6 and that ?2 may see:
 * only its players see a private match. For each, whether a filter takes it: against ?3, of the
 * game ?4 and the variant ?5. */
#define HISTORY_OF(color, other)                                                                   \
    "SELECT number, ended, (?3 = 0 OR " other " = ?3) AND (?4 = '' OR game = ?4)"                  \
    " AND (?5 = '' OR variant = ?5) FROM match WHERE " color " = ?1 AND ended IS NOT NULL"         \
    " AND ended < ?6 AND started = 1 AND (private = 0 OR white = ?2 OR black = ?2)"

static const struct schema schema = {
    .mark = 0x4c756475 /* "Ludu" */, .first = SQLITE_SCHEMA_FIRST, .steps = sqlite_schema};

/* The queries of a store, by their places in it. */
static const struct {
    size_t place;
    const char *sql;
} queries[] = {
    {offsetof(struct store, free_name),
     "UPDATE player SET name = '#' || id, kind = 'guest', token_hash = NULL, display = NULL,"
     " looks = NULL WHERE name = ? AND id <> ?"},
    {offsetof(struct store, free_display),
     "UPDATE player SET display = NULL, looks = NULL WHERE looks = ? AND id <> ?"},
    {offsetof(struct store, drop_tokens), "DELETE FROM token WHERE player = ?"},
    {offsetof(struct store, free_tokens),
     "DELETE FROM token WHERE player = (SELECT id FROM player WHERE name = ? AND id <> ?)"},
    {offsetof(struct store, put_token),
     "INSERT INTO token (player, number, hash, label, since_s) VALUES (?, ?, ?, ?, ?)"},
    {offsetof(struct store, drop_creator), "UPDATE match SET creator = NULL WHERE number = ?"},
    {offsetof(struct store, read_moves), "SELECT moves FROM match WHERE number = ?"},
    {offsetof(struct store, put_moves), "UPDATE match SET moves = ? WHERE number = ?"},
    {offsetof(struct store, add_moves), "UPDATE match SET moves = moves || ? WHERE number = ?"},
    {offsetof(struct store, read_going_on),
     "SELECT number FROM match WHERE ended IS NULL ORDER BY number"},
    {offsetof(struct store, add_lines), "INSERT INTO journal (lines) VALUES (?)"},
    {offsetof(struct store, read_lines), "SELECT lines FROM journal ORDER BY id"},
    {offsetof(struct store, drop_lines), "DELETE FROM journal"},
    {offsetof(struct store, put_tournament),
     "INSERT INTO tournament (number, name, game, variant, format, rounds, cycles, minutes,"
     " base_ms, increment_ms, bots, rated, director, status, created_s, starts_s, started_s,"
     " ended_s, code, openings, series)"
     " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
     " ON CONFLICT (number) DO UPDATE SET rounds = excluded.rounds, status = excluded.status,"
     " started_s = excluded.started_s, ended_s = excluded.ended_s"},
    {offsetof(struct store, drop_entrants), "DELETE FROM entrant WHERE tournament = ?"},
    {offsetof(struct store, put_entrant),
     "INSERT INTO entrant (tournament, number, player, rating, gone) VALUES (?, ?, ?, ?, ?)"
     " ON CONFLICT (tournament, number) DO UPDATE SET gone = excluded.gone"},
    {offsetof(struct store, put_barred), "INSERT INTO barred (tournament, player) VALUES (?, ?)"},
    {offsetof(struct store, put_pairing),
     "INSERT INTO pairing (tournament, number, round, white, black, walkover, match, result)"
     " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
     " ON CONFLICT (tournament, number) DO UPDATE SET match = excluded.match,"
     " result = excluded.result"},
    {offsetof(struct store, scan_history), /* those that ?1 played with both colours count once */
     HISTORY_OF("white", "black") " UNION ALL " HISTORY_OF(
         "black", "white") " AND white IS NOT ?1 ORDER BY ended DESC LIMIT ?7"},
    {offsetof(struct store, read_history),
     "SELECT id, game, variant, (SELECT name FROM player WHERE id = white),"
     " (SELECT name FROM player WHERE id = black), result, reason, opened_s, plies, white_rating,"
     " black_rating, rated FROM match WHERE number = ?"},
    {offsetof(struct store, scan_series),
     "SELECT player, tournaments, points2, matches, played2, opponents FROM series_score"
     " WHERE series = ? AND player > ? ORDER BY player LIMIT ?"},
    {offsetof(struct store, read_scorer),
     "SELECT name, coalesce(display, ''), bot FROM player WHERE id = ?"},
    {offsetof(struct store, add_series),
     "INSERT INTO series (name, director, game, variant) VALUES (?, ?, ?, ?)"
     " ON CONFLICT (name) DO NOTHING"},
    {offsetof(struct store, count_series),
     "UPDATE series SET tournaments = tournaments + 1 WHERE name = ?"},
    {offsetof(struct store, add_score),
     "INSERT INTO series_score (series, player, tournaments, points2, matches, played2, opponents)"
     " VALUES (?, ?, 1, ?, ?, ?, ?) ON CONFLICT (series, player) DO UPDATE SET"
     " tournaments = tournaments + 1, points2 = points2 + excluded.points2,"
     " matches = matches + excluded.matches, played2 = played2 + excluded.played2,"
     " opponents = opponents + excluded.opponents"},
    {offsetof(struct store, drop_match), "DELETE FROM match WHERE number = ?"},
    {offsetof(struct store, count_dropped),
     "UPDATE counter SET opened = max(opened, ?), ended = max(ended, ?)"},
};

/*
 * How moves are kept. The row of a match has a line for each:
 *
 *     MOVE TOOK_MS [PLAYED_S WHITE_MS BLACK_MS [EVAL PV]]
 *
 * when it was played (seconds since 1970), the clocks after it, the player's judgement, and the
 * line they expected, with commas; 0, EVAL_NONE and - stand for none. A match that goes on has its
 * latest moves in the journal: all moves of a transaction are one row of lines, each behind the
 * number of its match; -COUNT takes COUNT moves back. The journal is folded into the rows of
 * matches when it is long, and when the store is opened or closed. A match that ends gets all of
 * its lines, and those in the journal no longer count.
 */
enum { JOURNAL_BYTES_MAX = 256 << 10 };

static void add_number(struct buffer *lines, int64_t number)
{
    buffer_add(lines, " ", 1);
    buffer_integer(lines, number);
}

/* Adds the line of a move. Only the latest one has the time and the clocks. */
static void add_line(struct buffer *lines, const struct table *table, int ply, bool is_latest)
{
    const struct match *match = &table->match;
    const struct ply *made = &match->plies[ply - 1];
    const struct ply_note *note = &made->note;
    bool noted = note->eval != EVAL_NONE || note->pv_count > 0;
    bool timed = is_latest && match->clock.base_ms > 0;
    char move[MOVE_TEXT_MAX], pv[PV_TEXT_MAX];

    move_format(&match->start, made->move, move);
    buffer_puts(lines, move);
    add_number(lines, made->took_ms);
    if (is_latest || noted) {
        add_number(lines, is_latest ? table->changed_s : 0);
        add_number(lines, timed ? match->clock.left_ms[WHITE] : 0);
        add_number(lines, timed ? match->clock.left_ms[BLACK] : 0);
    }
    if (noted) {
        add_number(lines, note->eval);
        buffer_puts(lines, " ");
        buffer_puts(lines, note->pv_count > 0 ? pv_text(match, note, ',', pv) : "-");
    }
    buffer_puts(lines, "\n");
}

/* Ends the text that was added to the lines from `begin` on, and takes it off them. */
static const char *take_off(struct buffer *lines, size_t begin)
{
    buffer_add(lines, "", 1);
    lines->length = begin;
    return lines->bytes + begin;
}

/* Returns the lines of all moves of a match, until the next call. */
static const char *lines_of(struct store *store, const struct table *table)
{
    size_t begin = store->lines.length;

    for (int ply = 1; ply <= table->match.ply_count; ply++)
        add_line(&store->lines, table, ply, false);
    return take_off(&store->lines, begin);
}

/* The moves of one match, or one of them, in the journal. */
struct journal_line {
    int64_t number;
    const char *text;
    size_t length;
};

static int compare_lines(const void *one, const void *other)
{
    const struct journal_line *a = one, *b = other;

    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->text < b->text ? -1 : a->text > b->text;
}

/* Returns the numbers of the matches that go on, in order. */
static struct buffer read_going_on(struct store *store)
{
    struct buffer numbers = {.length = 0};

    while (query_next(store->read_going_on)) {
        int64_t number = query_integer(store->read_going_on, 0);
        buffer_add(&numbers, (const char *)&number, sizeof number);
    }
    return numbers;
}

static int compare_numbers(const void *one, const void *other)
{
    const int64_t *a = one, *b = other;

    return (*a > *b) - (*a < *b);
}

static bool is_among(const struct buffer *numbers, int64_t number)
{
    size_t count = numbers->length / sizeof number;

    return count > 0 &&
           bsearch(&number, numbers->bytes, count, sizeof number, compare_numbers) != NULL;
}

/* Splits the journal, most of which is of matches that are over. Returns how many lines it has of
 * those that go on. */
static size_t split_journal(const struct buffer *journal, const struct buffer *going_on,
                            struct journal_line **lines)
{
    const char *end = journal->bytes + journal->length, *text = journal->bytes, *next;
    size_t count = 0, room = 0;

    *lines = NULL;
    for (; (next = memchr(text, '\n', (size_t)(end - text))) != NULL; text = next + 1) {
        char *move;
        int64_t number = strtoll(text, &move, 10);
        if (!is_among(going_on, number))
            continue;
        if (count == room) {
            room = room != 0 ? 2 * room : 256;
            *lines = xrealloc(*lines, room * sizeof **lines);
        }
        (*lines)[count++] = (struct journal_line){number, move + 1, (size_t)(next - move)};
    }
    return count;
}

/* Takes the last line off a text. False: there is none. */
static bool cut_line(struct buffer *lines)
{
    if (lines->length == 0)
        return false;
    do
        lines->length--;
    while (lines->length > 0 && lines->bytes[lines->length - 1] != '\n');
    return true;
}

/* Adds moves to a match, of whose earlier ones the last `taken_back` are gone. */
static bool add_moves(struct store *store, int64_t number, long taken_back, struct buffer *moves)
{
    struct buffer all = {.length = 0};

    if (taken_back == 0) {
        QUERY_BIND(store->add_moves, SQL_TEXT(take_off(moves, 0)), SQL_INTEGER(number));
        return query_run(store->add_moves);
    }
    QUERY_BIND(store->read_moves, SQL_INTEGER(number));
    while (query_next(store->read_moves))
        buffer_puts(&all, query_text(store->read_moves, 0));
    while (taken_back > 0 && cut_line(&all))
        taken_back--;
    buffer_puts(&all, take_off(moves, 0));
    QUERY_BIND(store->put_moves, SQL_TEXT(take_off(&all, 0)), SQL_INTEGER(number));
    bool good = !query_failed(store->read_moves) && query_run_one(store->put_moves);
    buffer_release(&all);
    return good;
}

/* Adds to each match that goes on what the journal has of it. */
static bool add_journaled(struct store *store, const struct buffer *journal)
{
    struct buffer going_on = read_going_on(store), moves = {.length = 0};
    bool good = !query_failed(store->read_going_on);
    struct journal_line *lines;
    size_t count = split_journal(journal, &going_on, &lines);
    long taken_back = 0; /* of the moves in the row */

    if (count > 0)
        qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 0; good && i < count; i++) {
        if (lines[i].text[0] != '-')
            buffer_add(&moves, lines[i].text, lines[i].length);
        else
            for (long left = strtol(lines[i].text + 1, NULL, 10); left > 0; left--)
                taken_back += !cut_line(&moves);
        if (i + 1 < count && lines[i + 1].number == lines[i].number)
            continue;
        good = add_moves(store, lines[i].number, taken_back, &moves);
        taken_back = 0;
    }
    buffer_release(&moves);
    free(lines);
    buffer_release(&going_on);
    return good;
}

static bool fold_journal(struct store *store)
{
    struct buffer journal = {.length = 0};

    while (query_next(store->read_lines))
        buffer_puts(&journal, query_text(store->read_lines, 0));
    bool good = !query_failed(store->read_lines);
    if (good && journal.length > 0)
        good = add_journaled(store, &journal) && query_run(store->drop_lines);
    buffer_release(&journal);
    store->journaled_bytes = 0;
    return good;
}

bool store_fold(struct store *store)
{
    if (database_begin(store->database) && fold_journal(store) && database_commit(store->database))
        return true;
    database_rollback(store->database);
    return false;
}

/* Adds to the lines the moves in which a match differs from the one it was drafted from. */
static void journal_moves(struct store *store, const struct table *table,
                          const struct match *before)
{
    int count = table->match.ply_count, kept = before->ply_count;

    if (table->match.status == MATCH_OVER)
        return; /* lines_of() has them */
    if (count < kept) {
        buffer_integer(&store->lines, table->number);
        buffer_puts(&store->lines, " -");
        buffer_integer(&store->lines, kept - count);
        buffer_puts(&store->lines, "\n");
    }
    for (int ply = kept + 1; ply <= count; ply++) {
        buffer_integer(&store->lines, table->number);
        buffer_puts(&store->lines, " ");
        add_line(&store->lines, table, ply, true);
    }
}

/* Keeps the lines of the transaction. */
static bool put_lines(struct store *store)
{
    size_t length = store->lines.length;

    if (length == 0)
        return true;
    QUERY_BIND(store->add_lines, SQL_TEXT(take_off(&store->lines, 0)));
    store->journaled_bytes += length;
    return query_run(store->add_lines) &&
           (store->journaled_bytes < JOURNAL_BYTES_MAX || fold_journal(store));
}

/* Copies the next word of a line. Returns what is behind it; NULL: there is none, or it is too
 * long. */
static const char *read_word(const char *at, char *word, size_t size)
{
    size_t length = strcspn(at, " \n");

    if (length == 0 || length >= size)
        return NULL;
    memcpy(word, at, length);
    word[length] = '\0';
    return at + length;
}

bool store_read_line(const char **text, struct kept_move *kept)
{
    enum { TOOK_MS, PLAYED_S, WHITE_MS, BLACK_MS, EVAL, NUMBERS };
    int64_t numbers[NUMBERS] = {[EVAL] = EVAL_NONE};
    int count = 0;

    if (**text == '\0')
        return false;
    kept->pv[0] = '\0';
    const char *at = read_word(*text, kept->move, sizeof kept->move);
    for (; at != NULL && count < NUMBERS && *at == ' '; count++) {
        char *end;
        numbers[count] = strtoll(at + 1, &end, 10);
        at = end > at + 1 && !isspace((unsigned char)at[1]) ? end : NULL;
    }
    if (at != NULL && count == NUMBERS)
        at = *at == ' ' ? read_word(at + 1, kept->pv, sizeof kept->pv) : NULL;
    if (at == NULL || (*at != '\n' && *at != '\0') ||
        (count != TOOK_MS + 1 && count != BLACK_MS + 1 && count != NUMBERS) ||
        numbers[TOOK_MS] < 0 || numbers[TOOK_MS] > UINT32_MAX || numbers[EVAL] < INT16_MIN ||
        numbers[EVAL] > INT16_MAX) {
        *text = NULL;
        return false;
    }
    if (strcmp(kept->pv, "-") == 0)
        kept->pv[0] = '\0';
    kept->took_ms = numbers[TOOK_MS];
    kept->played_s = numbers[PLAYED_S];
    kept->left_ms[WHITE] = numbers[WHITE_MS];
    kept->left_ms[BLACK] = numbers[BLACK_MS];
    kept->eval = (int16_t)numbers[EVAL];
    *text = at + (*at == '\n');
    return true;
}

enum conflict { CONFLICT_FAILS, CONFLICT_STAYS, CONFLICT_UPDATES };

/* Makes an INSERT of all columns of a table, the first of which are its key. */
static struct query *insert_query(struct store *store, const char *table,
                                  const struct column columns[], int count, int keys,
                                  enum conflict conflict)
{
    uint64_t all = COLUMNS_ALL(count), key = COLUMNS_ALL(keys);
    struct buffer sql = {.length = 0};

    buffer_printf(&sql, "INSERT INTO %s (", table);
    columns_put_names(&sql, columns, all, "", "");
    buffer_puts(&sql, ") VALUES (?");
    for (int i = 1; i < count; i++)
        buffer_puts(&sql, ", ?");
    buffer_puts(&sql, ")");
    if (conflict != CONFLICT_FAILS) {
        buffer_puts(&sql, " ON CONFLICT (");
        columns_put_names(&sql, columns, key, "", "");
        buffer_puts(&sql, conflict == CONFLICT_STAYS ? ") DO NOTHING" : ") DO UPDATE SET ");
    }
    for (int i = keys; conflict == CONFLICT_UPDATES && i < count; i++)
        buffer_printf(&sql, "%s%s = excluded.%s", i > keys ? ", " : "", columns[i].name,
                      columns[i].name);
    buffer_add(&sql, "", 1);
    struct query *query = database_query(store->database, sql.bytes);
    buffer_release(&sql);
    return query;
}

/* Makes an UPDATE of columns of a match. Naming a column costs, also if it stays as it is: in its
 * indexes, and a reference in a journal of the statement. */
static struct match_query update_query(struct store *store, uint64_t columns)
{
    struct buffer sql = {.length = 0};

    buffer_puts(&sql, "UPDATE match SET ");
    columns_put_names(&sql, match_columns, columns, "", " = ?");
    buffer_puts(&sql, " WHERE number = ?");
    buffer_add(&sql, "", 1);
    struct match_query query = {database_query(store->database, sql.bytes), columns};
    buffer_release(&sql);
    return query;
}

/* Prepares all statements. What loading replays from the row of a match begins with its snapshot,
 * so that each write of the row has it. */
static bool prepare(struct store *store)
{
    store->put_player =
        insert_query(store, "player", player_columns, PLAYER_COLUMNS, 1, CONFLICT_UPDATES);
    store->add_player =
        insert_query(store, "player", player_columns, PLAYER_COLUMNS, 1, CONFLICT_STAYS);
    store->put_rating = insert_query(store, "rating", rating_columns, RATING_COLUMNS,
                                     RATING_COLUMN_VARIANT + 1, CONFLICT_UPDATES);
    store->put_puzzle = insert_query(store, "puzzle", puzzle_columns, PUZZLE_COLUMNS,
                                     PUZZLE_COLUMN_KEY + 1, CONFLICT_UPDATES);
    store->put_attempt = insert_query(store, "attempt", attempt_columns, ATTEMPT_COLUMNS,
                                      ATTEMPT_COLUMNS, CONFLICT_FAILS);
    store->add_match.columns = COLUMNS_ALL(MATCH_COLUMNS);
    store->add_match.query =
        insert_query(store, "match", match_columns, MATCH_COLUMNS, 1, CONFLICT_FAILS);
    store->put_play = update_query(store, MATCH_SNAPSHOT | COLUMN(COLUMN_RATED));
    store->put_seats = update_query(
        store, MATCH_SNAPSHOT | COLUMN(COLUMN_STATUS) | COLUMN(COLUMN_STARTED) |
                   COLUMN(COLUMN_WHITE) | COLUMN(COLUMN_BLACK) | COLUMN(COLUMN_WHITE_JOINED) |
                   COLUMN(COLUMN_BLACK_JOINED) | COLUMN(COLUMN_KICKED) | COLUMN(COLUMN_WAS_OPEN));
    store->put_end = update_query(store, MATCH_SNAPSHOT | COLUMN(COLUMN_STATUS) |
                                             COLUMN(COLUMN_RESULT) | COLUMN(COLUMN_REASON) |
                                             COLUMN(COLUMN_ENDED) | COLUMN(COLUMN_WHITE_RATING) |
                                             COLUMN(COLUMN_BLACK_RATING) | COLUMN(COLUMN_MOVES));
    bool failed = query_failed(store->put_player) || query_failed(store->add_player) ||
                  query_failed(store->put_rating) || query_failed(store->put_puzzle) ||
                  query_failed(store->put_attempt) || query_failed(store->add_match.query) ||
                  query_failed(store->put_play.query) || query_failed(store->put_seats.query) ||
                  query_failed(store->put_end.query);
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        struct query **query = (struct query **)((char *)store + queries[i].place);
        *query = database_query(store->database, queries[i].sql);
        failed = failed || query_failed(*query);
    }
    return !failed;
}

bool store_drop(struct store *store, int64_t number, int64_t ended)
{
    QUERY_BIND(store->count_dropped, SQL_INTEGER(number), SQL_INTEGER(ended));
    bool dropped = query_run(store->count_dropped);
    QUERY_BIND(store->drop_match, SQL_INTEGER(number));
    return dropped && query_run(store->drop_match);
}

static bool put_player(struct store *store, struct query *put, int64_t id,
                       const struct identity *identity)
{
    struct value values[PLAYER_COLUMNS];

    /* A row of that name, or display name, belongs to a player that the registry has forgotten. */
    QUERY_BIND(store->free_tokens, SQL_TEXT(identity->name), SQL_INTEGER(id));
    QUERY_BIND(store->free_name, SQL_TEXT(identity->name), SQL_INTEGER(id));
    if (!query_run(store->free_tokens) || !query_run(store->free_name))
        return false;
    if (identity->looks[0] != '\0') {
        QUERY_BIND(store->free_display, SQL_TEXT(identity->looks), SQL_INTEGER(id));
        if (!query_run(store->free_display))
            return false;
    }
    record_player(values, id, identity);
    query_bind(put, values, PLAYER_COLUMNS);
    return query_run(put);
}

bool store_put_token(struct store *store, int64_t player, const struct token *token)
{
    QUERY_BIND(store->put_token, SQL_INTEGER(player), SQL_INTEGER(token->number),
               SQL_BLOB(token->hash, sizeof token->hash), SQL_TEXT(token->label),
               SQL_INTEGER(token->since_s));
    return query_run(store->put_token);
}

/* Writes the tokens of a player anew: they change seldom, and are few. */
static bool put_tokens(struct store *store, int64_t player, const struct tokens *tokens)
{
    QUERY_BIND(store->drop_tokens, SQL_INTEGER(player));
    bool good = query_run(store->drop_tokens);

    for (int i = 0; good && i < tokens->count; i++)
        good = store_put_token(store, player, &tokens->list[i]);
    return good;
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

/* Nothing when a move is played that does not end the match. */
bool store_put_match(struct store *store, const struct table *next, const struct match *before)
{
    const struct match *match = &next->match;
    bool over = match->status == MATCH_OVER;
    const struct match_query *put = &store->put_play;
    struct match_record record;
    struct value values[MATCH_COLUMNS + 1];

    if (before == NULL)
        put = &store->add_match;
    else if (over)
        put = &store->put_end;
    else if (before->status == MATCH_OPEN || match->status == MATCH_OPEN)
        put = &store->put_seats;
    else if (match->ply_count > before->ply_count)
        return true;
    record_match(&record, next, put->columns, GUEST_IDS_PASS_ON);
    if (over || before == NULL)
        record.values[COLUMN_MOVES] = SQL_TEXT(lines_of(store, next));
    int count = columns_pick(record.values, put->columns, values);
    if (before != NULL)
        values[count++] = record.values[COLUMN_NUMBER];
    query_bind(put->query, values, count);
    if (!query_run_one(put->query))
        return false;
    if (before == NULL || !over || table_seats_of(next, next->creator) != SEATS_NONE)
        return true;
    /* Its creator is forgotten, unless they have played it. */
    QUERY_BIND(store->drop_creator, SQL_INTEGER(next->number));
    return query_run(store->drop_creator);
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

/* Writes a match, or, if it is over and nobody has moved, takes it away. Only its end costs the
 * more, the longer it was. */
static bool put_table(struct store *store, const struct table_draft *draft)
{
    const struct table *next = draft->next;
    const struct match *before = draft->table != NULL ? &draft->table->match : NULL;

    if (!put_missing(store, next->seats[WHITE].player) ||
        !put_missing(store, next->seats[BLACK].player) || !put_missing(store, next->creator))
        return false;
    if (next->match.status == MATCH_OVER && next->match.ply_count == 0)
        return store_drop(store, next->number, next->ended);
    if (!store_put_match(store, next, before))
        return false;
    if (before != NULL)
        journal_moves(store, next, before);
#ifdef CHECK_KEPT
    check_snapshot(store, next);
#endif
    return true;
}

static bool put_rating(struct store *store, const struct rating_draft *rating)
{
    struct value values[RATING_COLUMNS];

    record_rating(values, rating->player->id, rating->game->name, rating->variant, &rating->now,
                  rating->matches);
    query_bind(store->put_rating, values, RATING_COLUMNS);
    return query_run(store->put_rating);
}

static bool put_attempt(struct store *store, const struct attempt_draft *attempt)
{
    struct value puzzle[PUZZLE_COLUMNS], values[ATTEMPT_COLUMNS];

    record_puzzle(puzzle, attempt->puzzle, &attempt->now, attempt->attempts);
    query_bind(store->put_puzzle, puzzle, PUZZLE_COLUMNS);
    record_attempt(values, attempt->player->id, attempt->puzzle);
    query_bind(store->put_attempt, values, ATTEMPT_COLUMNS);
    return query_run(store->put_puzzle) && query_run(store->put_attempt);
}

/* Writes the row of a tournament as a change leaves it. */
static bool put_tournament(struct store *store, const struct tournament_change *change)
{
    const struct tournament *tournament = change->tournament;
    const struct tournament_plan *plan = &tournament->plan;
    bool starts = change->kind == CHANGE_STARTED;
    bool sets_status = starts || change->kind == CHANGE_STATUS;
    enum tournament_status status = sets_status ? change->status : tournament->status;
    bool ends = sets_status && status >= TOURNAMENT_OVER;
    char variant[VARIANT_NAME_MAX], openings[OPENINGS_TEXT_MAX];

    plan->game->variant_name(&plan->start, variant);
    openings_format_kept(plan, openings);
    QUERY_BIND(
        store->put_tournament, SQL_INTEGER(tournament->number), SQL_TEXT(plan->name),
        SQL_TEXT(plan->game->name), SQL_TEXT(variant), SQL_TEXT(contest_format_text(plan->format)),
        SQL_INTEGER(starts ? change->rounds : tournament->contest.rounds),
        SQL_INTEGER(plan->cycles), SQL_INTEGER(plan->minutes), SQL_INTEGER(plan->clock.base_ms),
        SQL_INTEGER(plan->clock.increment_ms), SQL_TEXT(bots_wanted_text(plan->bots)),
        SQL_INTEGER(!plan->casual), SQL_INTEGER(plan->director->id),
        SQL_TEXT(tournament_status_text(status)), SQL_INTEGER(plan->created_s),
        SQL_INTEGER(plan->starts_s), SQL_INTEGER(starts ? change->at_s : tournament->started_s),
        SQL_INTEGER(ends ? change->at_s : tournament->ended_s),
        plan->code[0] != '\0' ? SQL_TEXT(plan->code) : SQL_NULL,
        openings[0] != '\0' ? SQL_TEXT(openings) : SQL_NULL,
        plan->series[0] != '\0' ? SQL_TEXT(plan->series) : SQL_NULL);
    return query_run(store->put_tournament);
}

/* Adds a tournament that is over to its series. */
static bool put_scores(struct store *store, const struct tournament *tournament)
{
    const char *series = tournament->plan.series;
    struct standing *rows = standings_make(&tournament->contest, false);

    QUERY_BIND(store->count_series, SQL_TEXT(series));
    bool good = query_run(store->count_series);
    for (int i = 0; good && i < tournament->contest.entrant_count; i++) {
        const struct standing *row = &rows[i];
        if (!standing_counts(row))
            continue;
        QUERY_BIND(store->add_score, SQL_TEXT(series),
                   SQL_INTEGER(tournament->players[row->entrant]->id), SQL_INTEGER(row->points2),
                   SQL_INTEGER(row->matches), SQL_INTEGER(row->played2), SQL_REAL(row->opponents));
        good = query_run(store->add_score);
    }
    free(rows);
    return good;
}

/* Writes what the opening or the end of a tournament means for its series. */
static bool put_series(struct store *store, const struct tournament_change *change)
{
    const struct tournament_plan *plan = &change->tournament->plan;
    char variant[VARIANT_NAME_MAX];

    if (plan->series[0] == '\0')
        return true;
    if (change->kind == CHANGE_STATUS)
        return change->status != TOURNAMENT_OVER || put_scores(store, change->tournament);
    plan->game->variant_name(&plan->start, variant);
    QUERY_BIND(store->add_series, SQL_TEXT(plan->series), SQL_INTEGER(plan->director->id),
               SQL_TEXT(plan->game->name), SQL_TEXT(variant));
    return query_run(store->add_series);
}

static bool put_entrant(struct store *store, const struct tournament *tournament, int number,
                        const struct tournament_entry *entry, bool gone)
{
    QUERY_BIND(store->put_entrant, SQL_INTEGER(tournament->number), SQL_INTEGER(number),
               SQL_INTEGER(entry->player->id), SQL_REAL(entry->rating), SQL_INTEGER(gone));
    return query_run(store->put_entrant);
}

static bool put_barred(struct store *store, const struct tournament_change *change)
{
    QUERY_BIND(store->put_barred, SQL_INTEGER(change->tournament->number),
               SQL_INTEGER(change->entry.player->id));
    return query_run(store->put_barred) &&
           (change->entrant == NOBODY ||
            put_entrant(store, change->tournament, change->entrant, &change->entry, true));
}

static bool put_start(struct store *store, const struct tournament_change *change)
{
    QUERY_BIND(store->drop_entrants, SQL_INTEGER(change->tournament->number));
    if (!put_tournament(store, change) || !query_run(store->drop_entrants))
        return false;
    for (int i = 0; i < change->entry_count; i++)
        if (!put_entrant(store, change->tournament, i, &change->entries[i], false))
            return false;
    return true;
}

static bool put_pairing(struct store *store, const struct tournament *tournament, int number,
                        const struct contest_pairing *pairing, int64_t match)
{
    QUERY_BIND(store->put_pairing, SQL_INTEGER(tournament->number), SQL_INTEGER(number),
               SQL_INTEGER(pairing->round), SQL_INTEGER(pairing->white),
               SQL_INTEGER(pairing->black), SQL_INTEGER(pairing->walkover),
               match != 0 ? SQL_INTEGER(match) : SQL_NULL, SQL_INTEGER(pairing->result));
    return query_run(store->put_pairing);
}

static bool put_pairings(struct store *store, const struct tournament_change *change)
{
    int first = change->tournament->contest.pairings.count;

    for (int i = 0; i < change->pairings.count; i++)
        if (!put_pairing(store, change->tournament, first + i, &change->pairings.rows[i], 0))
            return false;
    return true;
}

static bool put_outcome(struct store *store, const struct tournament_change *change)
{
    const struct tournament *tournament = change->tournament;
    struct contest_pairing pairing = tournament->contest.pairings.rows[change->pairing];
    int64_t match = change->match != 0 ? change->match : tournament->matches[change->pairing];

    pairing.result = change->result;
    return put_pairing(store, tournament, change->pairing, &pairing, match);
}

/* Writes the change of a tournament. */
static bool put_change(struct store *store, const struct tournament_change *change)
{
    switch (change->kind) {
    case CHANGE_JOINED:
    case CHANGE_LEFT:
        return put_entrant(store, change->tournament, change->entrant, &change->entry,
                           change->kind == CHANGE_LEFT);
    case CHANGE_BARRED:
        return put_barred(store, change);
    case CHANGE_STARTED:
        return put_start(store, change);
    case CHANGE_PAIRED:
        return put_pairings(store, change);
    case CHANGE_PAIRING:
        return put_outcome(store, change);
    default:
        return put_tournament(store, change) && put_series(store, change);
    }
}

bool store_put_tournament(struct store *store, const struct tournament *tournament)
{
    const struct contest *contest = &tournament->contest;
    /* One that changes nothing. */
    const struct tournament_change stands = {.kind = CHANGE_OPENED,
                                             .tournament = (struct tournament *)tournament};
    bool good = put_tournament(store, &stands);

    for (int i = 0; good && i < contest->entrant_count; i++) {
        const struct entrant *entrant = &contest->entrants[i];
        const struct tournament_entry entry = {tournament->players[i], entrant->rating};
        good = put_entrant(store, tournament, i, &entry, entrant->left);
    }
    for (int i = 0; good && i < tournament->barred_count; i++) {
        QUERY_BIND(store->put_barred, SQL_INTEGER(tournament->number),
                   SQL_INTEGER(tournament->barred[i]));
        good = query_run(store->put_barred);
    }
    for (int i = 0; good && i < contest->pairings.count; i++)
        good =
            put_pairing(store, tournament, i, &contest->pairings.rows[i], tournament->matches[i]);
    return good;
}

static bool put_unit(struct store *store, const struct unit *unit)
{
    for (int i = 0; i < unit->table_count; i++)
        if (!put_table(store, &unit->tables[i]))
            return false;
    for (int i = 0; i < unit->rating_count; i++)
        if (!put_rating(store, &unit->ratings[i]))
            return false;
    if (unit->attempt.puzzle != NULL && !put_attempt(store, &unit->attempt))
        return false;
    if (unit->change != NULL && !put_change(store, unit->change))
        return false;
    if (unit->player != NULL &&
        !put_player(store, store->put_player, unit->player->id, &unit->identity))
        return false;
    return unit->tokens == NULL || put_tokens(store, unit->player->id, unit->tokens);
}

/* Writes the units from `first` to before `end` (NULL: to the last) in one transaction. */
static bool put_units(struct keeper *keeper, const struct unit *first, const struct unit *end)
{
    struct store *store = (struct store *)keeper;
    int64_t begin_us = tally_now_us();
    bool kept = database_begin(store->database);

    store->lines.length = 0;
    for (const struct unit *unit = first; kept && unit != end; unit = TAILQ_NEXT(unit, link))
        kept = put_unit(store, unit);
    kept = kept && put_lines(store) && database_commit(store->database);
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

void store_keep(struct keeper *keeper, struct batch *batch)
{
    struct unit *unit;

    if (writes_any(batch) && !put_units(keeper, TAILQ_FIRST(&batch->units), NULL))
        keep_one_by_one(keeper, batch);
    TAILQ_FOREACH (unit, &batch->units, link)
        if (unit->kept == KEPT)
            unit_note_kept(unit);
    keeper->calls->settled(keeper->context, batch);
}

static struct store *open_file(const char *path, enum durability durability, bool *locked,
                               struct cause *cause)
{
    struct store *store = xcalloc(1, sizeof *store);

    TAILQ_INIT(&store->read_in_turns);
    store->wake_fd = -1;
    snprintf(store->folder, sizeof store->folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    store->database = database_open(path, durability, &schema, locked, cause);
    if (store->database != NULL && prepare(store) && store_fold(store))
        return store;
    if (store->database != NULL)
        cause_set(cause, "%.100s: %.90s", path, database_error(store->database));
    database_close(store->database);
    buffer_release(&store->lines);
    free(store);
    return NULL;
}

static bool file_path(char path[FOLDER_TEXT_MAX], const char *folder, struct cause *cause)
{
    return snprintf(path, FOLDER_TEXT_MAX, "%s/ludus.db", folder) < FOLDER_TEXT_MAX ||
           cause_set(cause, "%.100s…: name too long", folder);
}

struct store *store_open(const char *folder, enum durability durability, bool *locked,
                         struct cause *cause)
{
    char path[FOLDER_TEXT_MAX];

    if (!file_path(path, folder, cause) || !folder_make(folder, cause))
        return NULL;
    return open_file(path, durability, locked, cause);
}

/* Finds the file of a store that is there. False with the cause. */
static bool find_file(char path[FOLDER_TEXT_MAX], const char *folder, struct cause *cause)
{
    struct stat found;

    if (!file_path(path, folder, cause))
        return false;
    if (access(path, R_OK | W_OK) != 0 || stat(path, &found) != 0)
        return cause_set(cause, "%.120s: %s", path, strerror(errno));
    return found.st_size > 0 || cause_set(cause, "%.120s: empty file", path);
}

struct store *store_open_existing(const char *folder, struct cause *cause)
{
    char path[FOLDER_TEXT_MAX];

    return find_file(path, folder, cause) ? open_file(path, DURABILITY_POWER, NULL, cause) : NULL;
}

struct database *store_hold(const char *folder, struct cause *cause)
{
    char path[FOLDER_TEXT_MAX];

    return find_file(path, folder, cause) ? database_hold(path, &schema, cause) : NULL;
}

void store_close(struct store *store)
{
    if (store == NULL)
        return;
    for (struct look_up *look_up; (look_up = TAILQ_FIRST(&store->read_in_turns)) != NULL;) {
        TAILQ_REMOVE(&store->read_in_turns, look_up, link);
        if (look_up->asker == NULL)
            look_up_free(look_up);
    }
    if (store->wake_fd >= 0)
        close(store->wake_fd);
    store_fold(store); /* or when it is opened */
    buffer_release(&store->lines);
    database_close(store->database);
    free(store);
}

bool store_finish(struct store *store, struct query *query, struct cause *cause)
{
    bool good = !query_failed(query);

    query_free(query);
    return good ||
           cause_set(cause, "cannot read the store: %.120s", database_error(store->database));
}
