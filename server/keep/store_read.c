/*
 * Reads matches from the store, each replayed by the rules, so that the server never takes up one
 * that they forbid; and answers look-ups.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "common/pgn.h"
#include "common/xmalloc.h"
#include "store.h"

/* A row of a match; texts are borrowed until the next step. */
struct match_row {
    struct value values[MATCH_COLUMNS];
    struct player people[PEOPLE]; /* by colour, then the creator; the table borrows them */
    int plies;                    /* behind which the position and the offers stand */
    struct clock clock;           /* not running */
};

/* Makes the SQL that read_row() takes. The caller frees it. */
static struct buffer match_sql(const char *where)
{
    struct buffer sql = {.length = 0};

    buffer_puts(&sql, "SELECT ");
    columns_put_names(&sql, match_columns, COLUMNS_ALL(MATCH_COLUMNS), "m.", "");
    buffer_printf(&sql,
                  ", w.id, w.name, w.kind, b.id, b.name, b.kind, c.id, c.name, c.kind,"
                  " t.tournament, t.number, t.round"
                  " FROM match AS m LEFT JOIN player AS w ON w.id = m.white"
                  " LEFT JOIN player AS b ON b.id = m.black"
                  " LEFT JOIN player AS c ON c.id = m.creator"
                  " LEFT JOIN pairing AS t ON t.match = m.number %s",
                  where);
    buffer_add(&sql, "", 1);
    return sql;
}

/* Reads three columns. Returns the person, or NULL for nobody. */
static struct player *read_person(struct query *query, int column, struct player *person)
{
    person->id = query_integer(query, column);
    record_word(person->name, sizeof person->name, query_text(query, column + 1));
    person->kind = record_kind(query_text(query, column + 2));
    return person->id != 0 ? person : NULL;
}

static void read_row(struct query *query, struct table *stored, struct match_row *row)
{
    const struct value *values = row->values;
    int column = MATCH_COLUMNS;

    for (int i = 0; i < MATCH_COLUMNS; i++)
        row->values[i] = query_value(query, i);
    record_read_table(values, stored);
    for (int i = 0; i < PEOPLE; i++, column += 3) {
        struct player *person = read_person(query, column, &row->people[i]);
        if (i == CREATOR)
            stored->creator = person;
        else
            stored->seats[i].player = person;
    }
    stored->tournament = query_integer(query, column);
    stored->pairing = (int)query_integer(query, column + 1);
    stored->round = (int)query_integer(query, column + 2);
    row->plies = (int)value_integer(&values[COLUMN_PLIES]);
    row->clock = (struct clock){.base_ms = value_integer(&values[COLUMN_BASE_MS]),
                                .increment_ms = value_integer(&values[COLUMN_INCREMENT_MS]),
                                .left_ms = {value_integer(&values[COLUMN_WHITE_MS]),
                                            value_integer(&values[COLUMN_BLACK_MS])}};
}

/* After `plies` moves the match must be as its row has it; takes up the offers. */
static bool meet_snapshot(const struct match_row *row, struct match *match, struct cause *cause)
{
    const char *kept = value_text(&row->values[COLUMN_POSITION]);
    char position[POSITION_TEXT_MAX];

    if (match->ply_count != row->plies)
        return true;
    match->game->format(&match->position, position);
    if (strcmp(position, kept) != 0)
        return cause_set(cause, "the moves lead to %.80s, but %.80s is stored", position, kept);
    match_set_offers(match, (int)value_integer(&row->values[COLUMN_OFFERS]));
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
    const char *rest = value_text(&row->values[COLUMN_MOVES]);
    struct kept_move kept;

    while (store_read_line(&rest, &kept))
        if (!replay_move(&kept, stored, row, cause))
            return false;
    return rest != NULL || cause_set(cause, "move %d cannot be read", stored->match.ply_count + 1);
}

/* Compares the match after its moves with the row. Only a match that goes on has moves after its
 * snapshot. */
static bool compare_with_row(const struct match_row *row, struct match *match, struct cause *cause)
{
    if (row->plies > match->ply_count ||
        (row->plies < match->ply_count && match->status != MATCH_PLAYING))
        return cause_set(cause, "%d moves stored instead of %d", match->ply_count, row->plies);
    return meet_snapshot(row, match, cause);
}

enum { NO_SNAPSHOT = -1 };

/* Replays a match from its moves alone where the snapshot in its row contradicts them. False with
 * the cause. */
static bool replay_anyhow(struct match_row *row, struct table *stored, struct cause *cause)
{
    struct match *match = &stored->match;

    stored->started = stored->started || value_text(&row->values[COLUMN_MOVES])[0] != '\0' ||
                      (stored->seats[WHITE].joined && stored->seats[BLACK].joined);
    if (!record_begin(row->values, stored->started, match, cause))
        return false;
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
    struct cause also;

    match_release(&stored->match);
    replay_anyhow(row, stored, &also);
    if (!record_is_date(stored->date))
        stored->date = 0;
    if (stored->match.game != NULL)
        record_end_anyhow(row->values, false, &stored->match, &also);
}

/* False with the cause: then the match is as far as its moves go, and has no game if it cannot be
 * shown at all. */
static bool read_match(struct match_row *row, struct table *stored, struct cause *cause)
{
    const bool there[2] = {stored->seats[WHITE].player != NULL,
                           stored->seats[BLACK].player != NULL};
    struct match *match = &stored->match;

    if (!record_begin(row->values, stored->started, match, cause))
        return false;
    bool good = replay(stored, row, cause) && record_end(row->values, match, cause) &&
                compare_with_row(row, match, cause);
    match->clock = row->clock;
    good = good && record_is_sound(stored, there, cause);
    if (!good)
        read_broken(row, stored);
    if (match->status == MATCH_OVER)
        stored->creator = NULL; /* the row still has one who has played */
    return good;
}

/* As store_visit(), with the values of `where`. */
static bool visit_matches(struct store *store, const char *where, const struct value *values,
                          int count, match_visit *visit, void *context, struct cause *cause)
{
    struct buffer sql = match_sql(where);
    struct query *query = database_query(store->database, sql.bytes);
    bool goes_on = true;

    buffer_release(&sql);
    query_bind(query, values, count);
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

bool store_visit(struct store *store, const char *where, struct value value, match_visit *visit,
                 void *context, struct cause *cause)
{
    return visit_matches(store, where, &value, value.type != VALUE_NULL, visit, context, cause);
}

/* Writes what the moves lead to. */
static bool put_repaired(struct store *store, const struct table *stored)
{
    const uint64_t columns = MATCH_SNAPSHOT | COLUMN(COLUMN_STATUS) | COLUMN(COLUMN_STARTED) |
                             COLUMN(COLUMN_RESULT) | COLUMN(COLUMN_REASON);
    struct match_record record;
    struct value values[MATCH_COLUMNS];
    struct buffer sql = {.length = 0};

    buffer_puts(&sql, "UPDATE match SET ");
    columns_put_names(&sql, match_columns, columns, "", " = ?");
    buffer_printf(&sql,
                  ", ended = iif(%d, coalesce(ended, (SELECT max(n) + 1 FROM (SELECT"
                  " max(ended) AS n FROM match UNION ALL SELECT ended FROM counter))), NULL)"
                  " WHERE number = %" PRId64,
                  stored->match.status == MATCH_OVER, stored->number);
    buffer_add(&sql, "", 1);
    struct query *query = database_query(store->database, sql.bytes);
    buffer_release(&sql);
    record_match(&record, stored, columns, GUEST_IDS_PASS_ON);
    query_bind(query, values, columns_pick(record.values, columns, values));
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
    bool good = replay_anyhow(&row, &stored, cause) &&
                record_end_anyhow(row.values, true, &stored.match, cause);
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
    bool good = false;

    if (!database_begin(store->database))
        return cause_set(cause, "%.120s", database_error(store->database));
    struct buffer sql = match_sql("WHERE m.number = ?");
    struct query *query = database_query(store->database, sql.bytes);
    buffer_release(&sql);
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

static bool read_history_row(struct query *query, struct history_row *row)
{
    const char *game = query_text(query, 1);

    *row = (struct history_row){.game = game_find(game, strlen(game)),
                                .date = query_integer(query, 7),
                                .plies = (int)query_integer(query, 8),
                                .rating_after = {record_rating_after(query_real(query, 9)),
                                                 record_rating_after(query_real(query, 10))},
                                .casual = query_integer(query, 11) == 0};
    record_word(row->id, sizeof row->id, query_text(query, 0));
    record_word(row->variant, sizeof row->variant, query_text(query, 2));
    record_word(row->names[WHITE], NAME_TEXT_MAX, query_text(query, 3));
    record_word(row->names[BLACK], NAME_TEXT_MAX, query_text(query, 4));
    return row->game != NULL && record_is_date(row->date) &&
           pgn_outcome(query_text(query, 5), query_text(query, 6), &row->outcome);
}

/* Takes the number in the first row; 0 without one. Frees the query. */
static bool take_number(struct store *store, struct query *query, int *number, struct cause *cause)
{
    *number = query_next(query) ? (int)query_integer(query, 0) : 0;
    return store_finish(store, query, cause);
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

/* What is looked at in one turn: a third of a millisecond. */
enum { HISTORY_STEP = 300 /* matches */, SERIES_STEP = 600 /* players */ };

/* Adds a match to the page that is asked for. */
static bool add_history_row(struct store *store, int64_t number, struct look_up *look_up)
{
    struct query *query = store->read_history;

    QUERY_BIND(query, SQL_INTEGER(number));
    if (query_next(query) && read_history_row(query, &look_up->history[look_up->count]))
        look_up->count++;
    query_finish(query);
    return !query_failed(query);
}

/* Looks at the next matches of a history. */
static bool scan_history(struct store *store, struct look_up *look_up, bool *done)
{
    const struct question *question = &look_up->question;
    const struct row_filter *filter = &question->filter;
    struct query *query = store->scan_history;
    int seen = 0;
    bool good = true;

    QUERY_BIND(query, SQL_INTEGER(question->player), SQL_INTEGER(question->asker),
               SQL_INTEGER(filter->against), SQL_TEXT(filter->game), SQL_TEXT(filter->variant),
               SQL_INTEGER(look_up->below), SQL_INTEGER(HISTORY_STEP));
    while (good && query_next(query)) {
        bool taken = query_integer(query, 2) != 0;
        look_up->below = query_integer(query, 1);
        seen++;
        if (taken && look_up->total++ >= filter->from && look_up->count < question->rows_max)
            good = add_history_row(store, query_integer(query, 0), look_up);
    }
    query_finish(query);
    look_up->looked_at += seen;
    *done = seen < HISTORY_STEP;
    return good && !query_failed(query);
}

/* Orders scores: more points first, then fewer matches, then the lower id. */
static int compare_scores(const void *one, const void *other)
{
    const struct series_score *a = one, *b = other;

    if (a->points2 != b->points2)
        return a->points2 > b->points2 ? -1 : 1;
    if (a->matches != b->matches)
        return a->matches < b->matches ? -1 : 1;
    return (a->player > b->player) - (a->player < b->player);
}

/* Merges more scores into the best ones, of which no more are kept than the page needs. */
static void merge_scores(struct look_up *look_up, struct series_score more[], int count)
{
    const struct question *question = &look_up->question;
    int most = question->filter.from + question->rows_max, all = look_up->best_count + count;
    int merged = 0, i = 0, j = 0;

    all = all < most ? all : most;
    struct series_score *best = xcalloc((size_t)all + 1, sizeof *best);
    qsort(more, (size_t)count, sizeof *more, compare_scores);
    while (merged < all)
        if (j == count ||
            (i < look_up->best_count && compare_scores(&look_up->best[i], &more[j]) < 0))
            best[merged++] = look_up->best[i++];
        else
            best[merged++] = more[j++];
    free(look_up->best);
    look_up->best = best;
    look_up->best_count = all;
}

/* Looks at the next players of a series. */
static bool scan_series(struct store *store, struct look_up *look_up, bool *done)
{
    struct query *query = store->scan_series;
    struct series_score more[SERIES_STEP];
    int count = 0;

    QUERY_BIND(query, SQL_TEXT(look_up->series.name), SQL_INTEGER(look_up->above),
               SQL_INTEGER(SERIES_STEP));
    while (count < SERIES_STEP && query_next(query))
        more[count++] = (struct series_score){.player = query_integer(query, 0),
                                              .tournaments = (int)query_integer(query, 1),
                                              .points2 = (int)query_integer(query, 2),
                                              .matches = (int)query_integer(query, 3),
                                              .played2 = (int)query_integer(query, 4),
                                              .opponents = query_real(query, 5)};
    query_finish(query);
    *done = count < SERIES_STEP;
    look_up->series.players += count;
    if (count > 0)
        look_up->above = more[count - 1].player;
    merge_scores(look_up, more, count);
    return !query_failed(query);
}

/* Makes the page that is asked for of the best scores. */
static bool read_scorers(struct store *store, struct look_up *look_up)
{
    struct query *query = store->read_scorer;
    bool good = true;
    int rank = 0;

    for (int i = 0; good && i < look_up->best_count; i++) {
        const struct series_score *score = &look_up->best[i];
        struct series_row *row = &look_up->scores[look_up->count];
        if (i == 0 || score->points2 != score[-1].points2)
            rank = i + 1;
        if (i < look_up->question.filter.from)
            continue;
        QUERY_BIND(query, SQL_INTEGER(score->player));
        if (query_next(query)) {
            *row = (struct series_row){
                .rank = rank, .bot = query_integer(query, 2) != 0, .score = *score};
            record_word(row->name, sizeof row->name, query_text(query, 0));
            snprintf(row->display, sizeof row->display, "%s", query_text(query, 1));
            look_up->count++;
        }
        query_finish(query);
        good = !query_failed(query);
    }
    return good;
}

/* Goes on with what is read in turns; its state is LOOK_WAITS until that is done. */
static void read_on(struct store *store, struct look_up *look_up)
{
    bool of_series = look_up->question.kind == LOOK_SERIES;
    struct cause *cause = &look_up->cause;
    bool done = false;

    bool good =
        of_series ? scan_series(store, look_up, &done) : scan_history(store, look_up, &done);
    if (good && done && of_series)
        good = read_scorers(store, look_up);
    if (!good) {
        cause_set(cause, "cannot read the store: %.120s", database_error(store->database));
        look_up->state = LOOK_FAILED;
    } else if (done) {
        good = of_series || count_retired(store, &look_up->question, &look_up->archived, cause);
        look_up->state = good ? LOOK_FOUND : LOOK_FAILED;
    }
}

/* Reads it at once, if it is not long. */
static bool begin_to_read(struct store *store, struct look_up *look_up)
{
    read_on(store, look_up);
    if (look_up->state != LOOK_WAITS)
        return true;
    TAILQ_INSERT_TAIL(&store->read_in_turns, look_up, link);
    eventfd_write(store->wake_fd, 1);
    return false;
}

static bool begin_history(struct store *store, struct look_up *look_up)
{
    look_up->history = xcalloc((size_t)look_up->question.rows_max, sizeof *look_up->history);
    look_up->below = INT64_MAX;
    return begin_to_read(store, look_up);
}

void store_work(struct keeper *keeper, int64_t now_ms)
{
    struct store *store = (struct store *)keeper;
    struct look_up *look_up = TAILQ_FIRST(&store->read_in_turns);
    eventfd_t count;

    (void)now_ms;
    if (look_up == NULL) {
        eventfd_read(store->wake_fd, &count);
        return;
    }
    TAILQ_REMOVE(&store->read_in_turns, look_up, link);
    if (look_up->asker != NULL)
        read_on(store, look_up);
    else
        look_up->state = LOOK_NOTHING;
    if (look_up->state == LOOK_WAITS)
        TAILQ_INSERT_TAIL(&store->read_in_turns, look_up, link);
    else
        keeper->calls->found(keeper->context, look_up);
}

/* In which month's file a retired match is, such as 202611; 0: in none. */
static bool retired_month(struct store *store, const char *id, int *month, struct cause *cause)
{
    struct query *query = database_query(store->database, "SELECT month FROM retired WHERE id = ?");

    QUERY_BIND(query, SQL_TEXT(id));
    return take_number(store, query, month, cause);
}

/* Gives a match to the look-up, unless it cannot be shown. */
static bool take_stored(void *context, struct table *stored, const struct cause *broken)
{
    struct look_up *look_up = context;

    if (broken != NULL)
        record_log_broken(stored->number, broken);
    if (stored->match.game == NULL)
        look_up->cause = *broken;
    else
        look_up->stored = stored_match_new(stored);
    return false;
}

/* Returns how many plies a match had at its end; 0: it goes on, or is not there. */
static bool count_plies(struct store *store, const char *id, int *plies, struct cause *cause)
{
    struct query *query = database_query(
        store->database, "SELECT plies FROM match WHERE id = ? AND ended IS NOT NULL");

    QUERY_BIND(query, SQL_TEXT(id));
    return take_number(store, query, plies, cause);
}

/* Looks for a match, or for the archive's file that it is in. */
static bool find_match(struct store *store, struct look_up *look_up, struct cause *cause)
{
    const char *id = look_up->question.key;
    int plies = 0;

    if (look_up->question.plies_max > 0 && !count_plies(store, id, &plies, cause))
        return false;
    if (plies > look_up->question.plies_max) {
        look_up->state = LOOK_TOO_LONG;
        return true;
    }
    return store_visit(store, "WHERE m.id = ?", SQL_TEXT(id), take_stored, look_up, cause) &&
           (look_up->stored != NULL || retired_month(store, id, &look_up->archived, cause));
}

/* Passes over a match that cannot be shown. */
static bool take_next_record(void *context, struct table *stored, const struct cause *broken)
{
    if (broken != NULL)
        record_log_broken(stored->number, broken);
    if (stored->match.game != NULL)
        look_up_add_record(context, stored_match_new(stored));
    return !look_up_is_full(context);
}

/* Where a span of numbers begins that is not empty; 0: there is none. */
static bool find_span(struct store *store, int64_t after, int64_t *first, struct cause *cause)
{
    struct query *query =
        database_query(store->database, "SELECT min(number) FROM match WHERE number > ?");

    QUERY_BIND(query, SQL_INTEGER(after));
    *first = query_next(query) ? query_integer(query, 0) : 0;
    return store_finish(store, query, cause);
}

static bool read_records(struct store *store, struct look_up *look_up, struct cause *cause)
{
    const struct question *question = &look_up->question;
    int64_t first, last;

    if (!find_span(store, question->after, &first, cause))
        return false;
    if (first == 0)
        return true;
    last = first + RECORDS_SPAN - 1;
    const struct value values[] = {SQL_INTEGER(first), SQL_INTEGER(last),
                                   SQL_INTEGER(question->since_s), SQL_TEXT(question->filter.game),
                                   SQL_TEXT(question->filter.variant)};
    if (!visit_matches(store,
                       "WHERE m.number BETWEEN ?1 AND ?2 AND m.ended IS NOT NULL"
                       " AND m.private = 0 AND m.plies > 0 AND m.opened_s >= ?3"
                       " AND (?4 = '' OR m.game = ?4) AND (?5 = '' OR m.variant = ?5)"
                       " ORDER BY m.number",
                       values, sizeof values / sizeof values[0], take_next_record, look_up, cause))
        return false;
    if (look_up_is_full(look_up))
        return true;
    look_up->next = last;
    if (!find_span(store, last, &first, cause))
        return false;
    if (first == 0)
        look_up->next = 0;
    return true;
}

static bool read_review(struct store *store, struct look_up *look_up, struct cause *cause)
{
    struct query *query = database_query(
        store->database, "SELECT lines FROM review JOIN match ON number = match WHERE id = ?");

    QUERY_BIND(query, SQL_TEXT(look_up->question.key));
    if (query_next(query))
        look_up->review = xstrdup(query_text(query, 0));
    return store_finish(store, query, cause);
}

static bool find_series(struct store *store, struct look_up *look_up, struct cause *cause)
{
    struct series *series = &look_up->series;
    struct query *query = database_query(
        store->database, "SELECT game, variant, p.name, p.id, tournaments FROM series AS s"
                         " JOIN player AS p ON p.id = director WHERE s.name = ?");

    QUERY_BIND(query, SQL_TEXT(look_up->question.key));
    if (query_next(query)) {
        const char *game = query_text(query, 0);
        *series = (struct series){.game = game_find(game, strlen(game)),
                                  .director_id = query_integer(query, 3),
                                  .tournaments = (int)query_integer(query, 4)};
        series_name_read(look_up->question.key, series->name);
        record_word(series->variant, sizeof series->variant, query_text(query, 1));
        record_word(series->director, sizeof series->director, query_text(query, 2));
    }
    return store_finish(store, query, cause);
}

/* Finds a series, and reads its players unless only that is asked for. */
static bool begin_series(struct store *store, struct look_up *look_up)
{
    int rows = look_up->question.rows_max;

    look_up->state = find_series(store, look_up, &look_up->cause) ? LOOK_FOUND : LOOK_FAILED;
    if (look_up->state == LOOK_FAILED || look_up->series.game == NULL || rows == 0)
        return true;
    look_up->state = LOOK_WAITS;
    look_up->scores = xcalloc((size_t)rows, sizeof *look_up->scores);
    return begin_to_read(store, look_up);
}

bool store_look_up(struct keeper *keeper, struct look_up *look_up)
{
    struct store *store = (struct store *)keeper;
    struct cause *cause = &look_up->cause;
    bool good;

    switch (look_up->question.kind) {
    case LOOK_HISTORY:
        return begin_history(store, look_up);
    case LOOK_SERIES:
        return begin_series(store, look_up);
    case LOOK_RECORDS:
        good = read_records(store, look_up, cause);
        break;
    case LOOK_REVIEW:
        good = read_review(store, look_up, cause);
        break;
    default:
        good = find_match(store, look_up, cause);
    }
    if (!good)
        look_up->state = LOOK_FAILED;
    else if (look_up->question.kind == LOOK_REVIEW)
        look_up->state = look_up->review != NULL ? LOOK_FOUND : LOOK_NOTHING;
    else if (look_up->state != LOOK_TOO_LONG)
        look_up->state = look_up->question.kind != LOOK_RECORD || look_up->stored != NULL
                             ? LOOK_FOUND
                             : LOOK_NOTHING;
    return true;
}
