/* Reads matches from the store. Each is replayed by the rules, so that the server never takes up
 * one that they forbid. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/pgn.h"
#include "common/xmalloc.h"
#include "server/base/log.h"
#include "store.h"

/* The columns of a row that a table has no room for; texts are borrowed until the next step. */
struct match_row {
    struct player people[PEOPLE]; /* by colour, then the creator; the table borrows them */
    const char *game, *variant, *start, *position, *status, *result, *reason, *moves;
    int plies; /* the position and the offers are those after so many */
    int64_t offers;
    struct clock clock; /* not running */
};

/* In the order in which read_row() takes them. */
static const char match_columns[] =
    "SELECT m.number, m.id, m.private, m.started, m.opened_s, m.changed_s, m.ended,"
    " m.white_joined, m.white_rating, m.white_ms, w.id, w.name, w.kind,"
    " m.black_joined, m.black_rating, m.black_ms, b.id, b.name, b.kind,"
    " c.id, c.name, c.kind, m.base_ms, m.increment_ms,"
    " m.game, m.variant, m.start, m.position, m.status, m.result, m.reason, m.plies, m.offers,"
    " m.once, m.code, m.kicked, m.was_open, m.rated, m.moves"
    " FROM match AS m LEFT JOIN player AS w ON w.id = m.white"
    " LEFT JOIN player AS b ON b.id = m.black LEFT JOIN player AS c ON c.id = m.creator ";

/* A rating after a match; null, which is 0, stands for an unrated one. */
static double read_rated(struct query *query, int column)
{
    double rating = query_real(query, column);

    return rating > 0 ? glicko_sane((struct glicko){.rating = rating}).rating : 0;
}

/* Reads three columns. Returns the person, or NULL for nobody. */
static struct player *read_person(struct query *query, int *column, struct player *person)
{
    person->id = query_integer(query, (*column)++);
    snprintf(person->name, sizeof person->name, "%s", query_text(query, (*column)++));
    person->kind = store_kind(query_text(query, (*column)++));
    return person->id != 0 ? person : NULL;
}

/* Reads the ids of the kicked. */
static void read_kicked(const char *text, struct table *stored)
{
    int taken;

    while (stored->kicked_count < KICKED_MAX &&
           sscanf(text, "%" SCNd64 "%n", &stored->kicked[stored->kicked_count].player, &taken) ==
               1) {
        stored->kicked_count++;
        text += taken;
    }
}

static void read_row(struct query *query, struct table *stored, struct match_row *row)
{
    const char **const texts[] = {&row->game,   &row->variant, &row->start, &row->position,
                                  &row->status, &row->result,  &row->reason};
    int column = 0;

    stored->number = query_integer(query, column++);
    snprintf(stored->id, sizeof stored->id, "%s", query_text(query, column++));
    stored->is_private = query_integer(query, column++) != 0;
    stored->started = query_integer(query, column++) != 0;
    stored->date = query_integer(query, column++);
    stored->changed_s = query_integer(query, column++);
    stored->ended = query_integer(query, column++);
    for (int color = WHITE; color <= BLACK; color++) {
        stored->seats[color].joined = query_integer(query, column++) != 0;
        stored->rated[color] = read_rated(query, column++);
        row->clock.left_ms[color] = query_integer(query, column++);
        stored->seats[color].player = read_person(query, &column, &row->people[color]);
    }
    stored->creator = read_person(query, &column, &row->people[CREATOR]);
    row->clock.base_ms = query_integer(query, column++); /* null is 0: no clock */
    row->clock.increment_ms = query_integer(query, column++);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        *texts[i] = query_text(query, column++);
    row->plies = (int)query_integer(query, column++);
    row->offers = query_integer(query, column++);
    snprintf(stored->once, sizeof stored->once, "%s", query_text(query, column++));
    snprintf(stored->code, sizeof stored->code, "%s", query_text(query, column++));
    read_kicked(query_text(query, column++), stored);
    int was_open = (int)query_integer(query, column++);
    for (int color = WHITE; color <= BLACK; color++)
        stored->seats[color].was_open = was_open >> color & 1;
    stored->casual = query_integer(query, column++) == 0;
    row->moves = query_text(query, column++);
}

/* Sets up the match as it started. */
static bool read_start(const struct match_row *row, struct match *match, struct cause *cause)
{
    const struct game *game = game_find(row->game, strlen(row->game));
    struct position start;

    if (game == NULL)
        return cause_set(cause, "unknown game '%.32s'", row->game);
    if (!game->parse(row->variant, row->start, &start, cause))
        return false;
    match_init(match, game, &start);
    return true;
}

/* After `plies` moves the match must be as its row has it; takes up the offers. */
static bool meet_snapshot(const struct match_row *row, struct match *match, struct cause *cause)
{
    char position[POSITION_TEXT_MAX];

    if (match->ply_count != row->plies)
        return true;
    match->game->format(&match->position, position);
    if (strcmp(position, row->position) != 0)
        return cause_set(cause, "the moves lead to %.80s, but %.80s is stored", position,
                         row->position);
    match_set_offers(match, (int)row->offers);
    return true;
}

/* Plays the next move. One after the snapshot brings the clocks, as far as it has them. */
static bool replay_move(const struct kept_move *kept, struct table *stored, struct match_row *row,
                        struct cause *cause)
{
    struct match *match = &stored->match;
    struct ply_note note = {.eval = kept->eval};
    struct cause why = {.text = ""};

    match_read_pv(match, kept->pv, &note);
    if (!meet_snapshot(row, match, cause))
        return false;
    enum status status = match_play_text(match, SEATS_BOTH, kept->move, -1, 0, &why);
    if (status != STATUS_OK)
        return cause_set(cause, "move %d, '%.10s': %s", match->ply_count + 1, kept->move,
                         why.text[0] != '\0' ? why.text : status_sentence(status));
    match_annotate(match, &note);
    match->plies[match->ply_count - 1].took_ms = (uint32_t)kept->took_ms;
    if (match->ply_count > row->plies && kept->played_s != 0) {
        stored->changed_s = kept->played_s;
        memcpy(row->clock.left_ms, kept->left_ms, sizeof kept->left_ms);
    }
    return true;
}

static bool replay(struct table *stored, struct match_row *row, struct cause *cause)
{
    const char *rest = row->moves;
    struct kept_move kept;

    while (store_read_line(&rest, &kept))
        if (!replay_move(&kept, stored, row, cause))
            return false;
    return rest != NULL || cause_set(cause, "move %d cannot be read", stored->match.ply_count + 1);
}

/* Ends the match with the stored result. A match that its moves have ended must agree with it. */
static bool read_end(const struct match_row *row, struct match *match, struct cause *cause)
{
    bool ended = match->status == MATCH_OVER;
    struct outcome outcome;

    if (strcmp(row->status, "over") != 0)
        return !ended || cause_set(cause, "over by the rules, but not in the store");
    if (!pgn_outcome(row->result, row->reason, &outcome))
        return cause_set(cause, "invalid result '%.10s' by '%.32s'", row->result, row->reason);
    if (ended &&
        (outcome.result != match->outcome.result || outcome.reason != match->outcome.reason))
        return cause_set(cause, "result is %s by %s, but the rules say %s by %s", row->result,
                         row->reason, result_text(match->outcome.result),
                         reason_text(match->outcome.reason));
    if (!ended && outcome.reason < REASON_RESIGN)
        return cause_set(cause, "result is by %s, but the rules do not end it there", row->reason);
    if (!ended)
        match_end(match, outcome, 0);
    return true;
}

/* Compares the match after its moves with the row. Only a match that goes on has moves after its
 * snapshot. */
static bool compare(const struct match_row *row, struct match *match, struct cause *cause)
{
    const char *status = match_status_text(match->status);

    if (row->plies > match->ply_count ||
        (row->plies < match->ply_count && match->status != MATCH_PLAYING))
        return cause_set(cause, "%d moves stored instead of %d", match->ply_count, row->plies);
    return meet_snapshot(row, match, cause) &&
           (strcmp(row->status, status) == 0 ||
            cause_set(cause, "the moves make it %s, but it is stored as %.20s", status,
                      row->status));
}

static bool clock_is_sound(const struct clock *clock)
{
    const int64_t left_max_ms = TIME_BASE_MAX_MS + (PLIES_MAX + 1) * (int64_t)TIME_INCREMENT_MAX_MS;

    return clock->base_ms <= TIME_BASE_MAX_MS && clock->increment_ms <= TIME_INCREMENT_MAX_MS &&
           clock->left_ms[WHITE] <= left_max_ms && clock->left_ms[BLACK] <= left_max_ms;
}

/* Checks what neither the schema nor the rules of the game guarantee. */
static bool is_sound(const struct table *stored, struct cause *cause)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &stored->seats[color];
        if (seat->joined && seat->player == NULL)
            return cause_set(cause, "the player of %s is missing", color_name(color));
        if (stored->started && !seat->joined)
            return cause_set(cause, "started with an empty seat");
    }
    if (!store_is_date(stored->date) || !store_is_date(stored->changed_s))
        return cause_set(cause, "invalid date");
    return store_counts_on(stored->number, cause) && store_counts_on(stored->ended, cause);
}

enum { NO_SNAPSHOT = -1 };

/* Replays a match from its moves alone where the snapshot in its row contradicts them. False with
 * the cause. */
static bool replay_anyhow(struct match_row *row, struct table *stored, struct cause *cause)
{
    struct match *match = &stored->match;

    stored->started = stored->started || row->moves[0] != '\0' ||
                      (stored->seats[WHITE].joined && stored->seats[BLACK].joined);
    if (!read_start(row, match, cause))
        return false;
    if (stored->started)
        match_start(match, 0);
    if (replay(stored, row, cause) && row->plies <= match->ply_count &&
        meet_snapshot(row, match, cause))
        return true;
    if (row->plies == NO_SNAPSHOT)
        return false;
    match_release(match);
    row->plies = NO_SNAPSHOT;
    return replay_anyhow(row, stored, cause);
}

/* Makes a broken match what its moves and the end in its row come to, to be shown. */
static void read_broken(struct match_row *row, struct table *stored)
{
    struct match *match = &stored->match;
    struct outcome outcome;
    struct cause also;

    match_release(match);
    replay_anyhow(row, stored, &also);
    if (!store_is_date(stored->date))
        stored->date = 0;
    if (match->status != MATCH_OVER && strcmp(row->status, "over") == 0 &&
        pgn_outcome(row->result, row->reason, &outcome))
        match_end(match, outcome, 0);
}

/* False with the cause: then the match is as far as its moves go, and has no game if it cannot be
 * shown at all. */
static bool read_match(struct match_row *row, struct table *stored, struct cause *cause)
{
    struct match *match = &stored->match;

    if (!read_start(row, match, cause))
        return false;
    if (stored->started)
        match_start(match, 0);
    bool good =
        replay(stored, row, cause) && read_end(row, match, cause) && compare(row, match, cause);
    if (clock_is_sound(&row->clock))
        match->clock = row->clock;
    else if (good)
        good = cause_set(cause, "invalid clock: more time than the limit");
    good = good && is_sound(stored, cause);
    if (!good)
        read_broken(row, stored);
    if (match->status == MATCH_OVER)
        stored->creator = NULL; /* the row still has one who has played */
    return good;
}

bool store_visit(struct store *store, const char *where, struct value value, match_visit *visit,
                 void *context, struct cause *cause)
{
    char sql[1024];
    bool goes_on = true;

    snprintf(sql, sizeof sql, "%s%s", match_columns, where);
    struct query *query = database_query(store->database, sql);
    query_bind(query, &value, value.type != VALUE_NULL);
    while (goes_on && query_next(query)) {
        struct table stored = {.number = 0};
        struct match_row row = {.plies = 0};
        struct cause broken;
        read_row(query, &stored, &row);
        bool good = read_match(&row, &stored, &broken);
        if (!good)
            stored.broken = xstrdup(broken.text);
        goes_on = visit(context, &stored, good ? NULL : &broken);
        match_release(&stored.match);
        free(stored.broken);
    }
    return store_finish(store, query, cause);
}

/* Ends a match that its row has as over, unless its moves have. False with the cause. */
static bool end_anyhow(const struct match_row *row, struct match *match, struct cause *cause)
{
    struct outcome outcome;

    if (match->status == MATCH_OVER || strcmp(row->status, "over") != 0)
        return true;
    if (!pgn_outcome(row->result, row->reason, &outcome) || outcome.reason < REASON_RESIGN)
        return cause_set(cause, "its moves do not lead to the result %.10s by %.32s", row->result,
                         row->reason);
    match_end(match, outcome, 0);
    return true;
}

/* Writes what the moves lead to. */
static bool put_repaired(struct store *store, const struct table *stored)
{
    const struct match *match = &stored->match;
    bool over = match->status == MATCH_OVER;
    char position[POSITION_TEXT_MAX];
    struct query *query = database_query(
        store->database,
        "UPDATE match SET position = ?, plies = ?, status = ?, started = ?, result = ?, reason = ?,"
        " ended = iif(?3 = 'over', coalesce(ended, (SELECT max(n) + 1 FROM (SELECT max(ended) AS n"
        " FROM match UNION ALL SELECT ended FROM counter))), NULL), changed_s = ?, offers = ?,"
        " white_ms = iif(base_ms IS NULL, NULL, ?), black_ms = iif(base_ms IS NULL, NULL, ?)"
        " WHERE number = ?");

    match->game->format(&match->position, position);
    QUERY_BIND(query, SQL_TEXT(position), SQL_INTEGER(match->ply_count),
               SQL_TEXT(match_status_text(match->status)), SQL_INTEGER(stored->started),
               SQL_TEXT(over ? result_text(match->outcome.result) : "*"),
               SQL_TEXT(over ? reason_text(match->outcome.reason) : NULL),
               SQL_INTEGER(stored->changed_s), SQL_INTEGER(match_offer_bits(match)),
               SQL_INTEGER(match->clock.left_ms[WHITE]), SQL_INTEGER(match->clock.left_ms[BLACK]),
               SQL_INTEGER(stored->number));
    bool put = query_run_one(query);
    query_free(query);
    return put;
}

/* Keeps what the visit of a match says of it. */
static bool note_broken(void *context, struct table *stored, const struct cause *broken)
{
    struct cause *cause = context;

    (void)stored;
    if (broken != NULL)
        *cause = *broken;
    return false;
}

/* Repairs the match of a row, and reads it again. */
static bool repair_row(struct store *store, struct query *query, struct cause *cause)
{
    struct table stored = {.number = 0};
    struct match_row row = {.plies = 0};
    struct cause still = {.text = ""};

    read_row(query, &stored, &row);
    bool good = replay_anyhow(&row, &stored, cause) && end_anyhow(&row, &stored.match, cause);
    stored.match.clock = row.clock;
    if (good && !put_repaired(store, &stored))
        good = cause_set(cause, "%.120s", database_error(store->database));
    good = good && store_visit(store, "WHERE m.number = ?", SQL_INTEGER(stored.number), note_broken,
                               &still, cause);
    if (good && still.text[0] != '\0')
        good = cause_set(cause, "%s", still.text);
    match_release(&stored.match);
    return good;
}

bool store_repair(struct store *store, int64_t number, struct cause *cause)
{
    char sql[1024];
    bool good = false;

    snprintf(sql, sizeof sql, "%sWHERE m.number = ?", match_columns);
    if (!database_begin(store->database))
        return cause_set(cause, "%.120s", database_error(store->database));
    struct query *query = database_query(store->database, sql);
    QUERY_BIND(query, SQL_INTEGER(number));
    if (query_next(query))
        good = repair_row(store, query, cause);
    else
        cause_set(cause, "it cannot be read");
    query_free(query);
    if (good && database_commit(store->database))
        return true;
    if (good)
        cause_set(cause, "%.120s", database_error(store->database));
    database_rollback(store->database);
    return false;
}

void store_log_broken(const struct table *stored, const struct cause *broken)
{
    log_line(LOG_ERROR, "event=broken-match number=%" PRId64 " error=%s", stored->number,
             log_quote(broken->text).text);
}

/* The finished matches that ?1 played with that colour and ?2 may see: only its players see a
 * private match. HISTORY_BLACK leaves out those that ?1 played with both. */
#define HISTORY_OF(color)                                                                          \
    " FROM match WHERE " color " = ?1 AND ended IS NOT NULL AND started = 1"                       \
    " AND (private = 0 OR white = ?2 OR black = ?2)"
#define HISTORY_WHITE HISTORY_OF("white")
#define HISTORY_BLACK HISTORY_OF("black") " AND white IS NOT ?1"
/* Of these, the ones that a filter takes: against ?3, of the game ?4 and the variant ?5. */
#define FILTER(other)                                                                              \
    " AND (?3 = 0 OR " other " = ?3) AND (?4 = '' OR game = ?4) AND (?5 = '' OR variant = ?5)"
#define TAKEN_WHITE HISTORY_WHITE FILTER("black")
#define TAKEN_BLACK HISTORY_BLACK FILTER("white")

static bool read_history_row(struct query *query, struct history_row *row)
{
    const char *game = query_text(query, 1);

    *row = (struct history_row){.game = game_find(game, strlen(game)),
                                .date = query_integer(query, 7),
                                .plies = (int)query_integer(query, 8),
                                .rated = {read_rated(query, 9), read_rated(query, 10)},
                                .casual = query_integer(query, 11) == 0};
    snprintf(row->id, sizeof row->id, "%s", query_text(query, 0));
    snprintf(row->variant, sizeof row->variant, "%s", query_text(query, 2));
    snprintf(row->names[WHITE], NAME_TEXT_MAX, "%s", query_text(query, 3));
    snprintf(row->names[BLACK], NAME_TEXT_MAX, "%s", query_text(query, 4));
    return row->game != NULL && store_is_date(row->date) &&
           pgn_outcome(query_text(query, 5), query_text(query, 6), &row->outcome);
}

/* Binds the first 5 parameters of HISTORY and FILTER, or 8: how many rows, from which, and the
 * last.
 */
static void bind_history(struct query *query, const struct question *question,
                         const struct row_filter *filter, int count)
{
    const struct value values[] = {
        SQL_INTEGER(question->player), SQL_INTEGER(question->asker),
        SQL_INTEGER(filter->against),  SQL_TEXT(filter->game),
        SQL_TEXT(filter->variant),     SQL_INTEGER(question->rows_max),
        SQL_INTEGER(filter->from),     SQL_INTEGER(filter->from + question->rows_max)};

    query_bind(query, values, count);
}

/* Takes the number in the first row; 0 without one. Frees the query. */
static bool take_number(struct store *store, struct query *query, int *number, struct cause *cause)
{
    *number = query_next(query) ? (int)query_integer(query, 0) : 0;
    return store_finish(store, query, cause);
}

/* Counts the matches of the player that a filter takes. */
static bool count_history(struct store *store, const struct question *question,
                          const struct row_filter *filter, int *count, struct cause *cause)
{
    struct query *query = database_query(store->database, "SELECT (SELECT count(*)" TAKEN_WHITE ")"
                                                          " + (SELECT count(*)" TAKEN_BLACK ")");

    bind_history(query, question, filter, 5);
    return take_number(store, query, count, cause);
}

/* Counts the retired matches that the asker may know of. */
static bool count_retired(struct store *store, const struct question *question, int *count,
                          struct cause *cause)
{
    struct query *query =
        database_query(store->database, "SELECT public + iif(player = ?2, private, 0)"
                                        " FROM retired_of WHERE player = ?1");

    QUERY_BIND(query, SQL_INTEGER(question->player), SQL_INTEGER(question->asker));
    return take_number(store, query, count, cause);
}

static bool filters_history(const struct row_filter *filter)
{
    return filter->against != 0 || filter->game[0] != '\0';
}

static bool history(struct store *store, struct look_up *look_up, struct cause *cause)
{
    static const struct row_filter all;
    const struct question *question = &look_up->question;
    struct query *query = database_query(
        store->database,
        "SELECT m.id, m.game, m.variant, (SELECT name FROM player WHERE id = m.white),"
        " (SELECT name FROM player WHERE id = m.black), m.result, m.reason,"
        " m.opened_s, m.plies, m.white_rating, m.black_rating, m.rated"
        " FROM match AS m WHERE m.number IN ("
        "SELECT * FROM (SELECT number" TAKEN_WHITE " ORDER BY ended DESC LIMIT ?8)"
        " UNION ALL "
        "SELECT * FROM (SELECT number" TAKEN_BLACK " ORDER BY ended DESC LIMIT ?8))"
        " ORDER BY m.ended DESC LIMIT ?6 OFFSET ?7");

    look_up->history = xcalloc((size_t)question->rows_max, sizeof *look_up->history);
    bind_history(query, question, &question->filter, 8);
    while (query_next(query))
        if (look_up->count < question->rows_max &&
            read_history_row(query, &look_up->history[look_up->count]))
            look_up->count++;
    if (!store_finish(store, query, cause) ||
        !count_history(store, question, &all, &look_up->looked_at, cause) ||
        !count_retired(store, question, &look_up->archived, cause))
        return false;
    look_up->total = look_up->looked_at;
    return !filters_history(&question->filter) ||
           count_history(store, question, &question->filter, &look_up->total, cause);
}

/* In which month's file a retired match is, such as 202611; 0: in none. */
static bool retired_month(struct store *store, const char *id, int *month, struct cause *cause)
{
    struct query *query = database_query(store->database, "SELECT month FROM retired WHERE id = ?");

    QUERY_BIND(query, SQL_TEXT(id));
    return take_number(store, query, month, cause);
}

/* Gives a match to the look-up, unless it cannot be shown. */
static bool take_match(void *context, struct table *stored, const struct cause *broken)
{
    struct look_up *look_up = context;

    if (broken != NULL)
        store_log_broken(stored, broken);
    if (stored->match.game == NULL)
        look_up->cause = *broken;
    else
        look_up->stored = stored_match_new(stored);
    return false;
}

/* Looks for a match, or for the archive's file that it is in. */
static bool find_match(struct store *store, struct look_up *look_up, struct cause *cause)
{
    const char *id = look_up->question.key;

    return store_visit(store, "WHERE m.id = ?", SQL_TEXT(id), take_match, look_up, cause) &&
           (look_up->stored != NULL || retired_month(store, id, &look_up->archived, cause));
}

bool store_look_up(struct keeper *keeper, struct look_up *look_up)
{
    struct store *store = (struct store *)keeper;
    bool good = look_up->question.kind == LOOK_HISTORY
                    ? history(store, look_up, &look_up->cause)
                    : find_match(store, look_up, &look_up->cause);

    look_up->state = !good                                              ? LOOK_FAILED
                     : look_up->rows != NULL || look_up->stored != NULL ? LOOK_FOUND
                                                                        : LOOK_NOTHING;
    return true;
}
