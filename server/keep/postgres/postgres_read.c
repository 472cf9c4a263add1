/* The second connection: look-ups, and what several files ask. */
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/pgn.h"
#include "common/xmalloc.h"
#include "postgres.h"
#include "server/base/log.h"

enum { NUMBER_DIGITS = 18 }; /* of those that fit */

/* The matches of a player $1 that are not over, as the indexes have them. */
#define OWN_MATCHES                                                                                \
    "m.status <> 'over' AND (m.white = $1 OR m.black = $1 OR (m.creator = $1"                      \
    " AND m.creator IS DISTINCT FROM m.white AND m.creator IS DISTINCT FROM m.black))"

/* Ends a look-up with this state. */
static void end_look_up(struct postgres *postgres, struct look_up *look_up,
                        enum look_up_state state)
{
    look_up->state = state;
    postgres->look_ups--;
    postgres->keeper.calls->found(postgres->keeper.context, look_up);
}

/* Ends a look-up whose question has failed. */
static bool has_failed(struct postgres *postgres, struct look_up *look_up,
                       const struct answer *answer)
{
    if (answer->state == ANSWER_ROWS)
        return false;
    cause_set(&look_up->cause, "%.150s", answer->message);
    end_look_up(postgres, look_up, LOOK_FAILED);
    return true;
}

/* What a taker needs. */
struct asking {
    struct postgres *postgres;
    struct look_up *look_up; /* borrowed; NULL: none */
};

static struct asking *asking_new(struct postgres *postgres, struct look_up *look_up)
{
    struct asking *asking = xmalloc(sizeof *asking);

    *asking = (struct asking){postgres, look_up};
    return asking;
}

#define PLIES                                                                                      \
    "coalesce((SELECT e.ply FROM entry e WHERE e.match = m.number ORDER BY e.version DESC"         \
    " LIMIT 1), 0)"

/* The filters: the game, the variant, the status or whether they play, whether they are bots. */
#define OF_GAME      " AND ($3 = '' OR m.game = $3) AND ($4 = '' OR m.variant = $4)"
#define IS_BOT(seat) "coalesce(m." seat " IN (SELECT id FROM player WHERE bot), false)"
#define LISTED                                                                                     \
    " FROM match m WHERE m.status <> 'over' AND NOT m.private AND ($5 = '' OR m.status = "         \
    "$5)" OF_GAME " AND ($6 = '' OR (" IS_BOT("white") " OR " IS_BOT("black") ") = $6::bool)"

/* Whether nobody waits there: the opener of an open match is away, or all people who play it are;
 * bots are not waited for. */
#define IS_LEFT                                                                                    \
    "coalesce(CASE status WHEN 'open' THEN (SELECT node IS NULL FROM player WHERE id = creator)"   \
    "    ELSE (SELECT bool_and(node IS NULL) FROM player WHERE id IN (white, black) AND NOT bot)"  \
    "    END, false)"

/* Those that are left come last of each BLOCK, so that a page costs the same however many matches
 * there are. A page is in two blocks at most. */
#define BLOCK      "500"
#define TWO_BLOCKS "1000"
#define ORDER      " ORDER BY block, away, number DESC"

/* Counting without a filter needs no more than an index. */
static const char list_sql[] =
    "SELECT m.id, m.game, m.variant, (SELECT name FROM player WHERE id = m.white),"
    " (SELECT name FROM player WHERE id = m.black), m.status, " PLIES ","
    " m.base_ms, m.increment_ms, m.rated, away, total, m.code IS NOT NULL AND m.status = 'open',"
    " (SELECT display FROM player WHERE id = m.white),"
    " (SELECT display FROM player WHERE id = m.black) FROM"
    " (SELECT CASE WHEN ($3 || $4 || $5 || $6) = ''"
    "   THEN (SELECT count(*) FROM match WHERE status <> 'over' AND NOT private)"
    "   ELSE (SELECT count(*)" LISTED ") END AS total) c LEFT JOIN"
    " ((SELECT number, (place - 1) / " BLOCK " AS block, " IS_LEFT " AS away FROM"
    "   (SELECT m.number, m.status, m.creator, m.white, m.black,"
    "    row_number() OVER (ORDER BY m.number DESC) AS place" LISTED
    " ORDER BY m.number DESC LIMIT " TWO_BLOCKS " OFFSET $2::int / " BLOCK "    * " BLOCK
    ") p" ORDER " LIMIT $1::int OFFSET $2::int % " BLOCK ") p"
    "  JOIN match m USING (number)) ON true" ORDER;

/* Guests have no rows unless they play: each server knows its own. */
#define PLAYS                                                                                      \
    "((SELECT count(*) FROM match m WHERE m.white = p.id AND m.ended IS NULL"                      \
    "   AND m.status = 'playing' AND NOT m.private)"                                               \
    " + (SELECT count(*) FROM match m WHERE m.black = p.id AND m.ended IS NULL"                    \
    "   AND m.status = 'playing' AND NOT m.private))"
#define HERE                                                                                       \
    " WHERE p.node IS NOT NULL AND p.kind = 'named' AND ($4 = '' OR p.bot = $4::bool)"             \
    " AND ($3 = '' OR (" PLAYS " > 0) = $3::bool)"

static const char who_sql[] =
    "SELECT l.*, total FROM (SELECT count(*) AS total FROM player p" HERE ") c LEFT JOIN"
    " (SELECT p.name, p.bot, r.game, r.variant, r.rating, " PLAYS ", p.display"
    "   FROM player p LEFT JOIN LATERAL (SELECT game, variant, rating FROM rating"
    "    WHERE player = p.id AND variant <> '" VARIANT_PUZZLES
    "' ORDER BY matches DESC, game, variant LIMIT 1) r ON true" HERE
    "   ORDER BY p.id LIMIT $1::int OFFSET $2::int) l ON true";

/* The variants that have ratings are found one after the other, and of each the first rows of an
 * index, 50 more than are shown: of more than that with the same rating and deviation, those with
 * the lowest ids count. */
static const char top_sql[] =
    "WITH RECURSIVE kinds AS ((SELECT game, variant FROM rating ORDER BY game, variant LIMIT 1)"
    "  UNION ALL SELECT n.game, n.variant FROM kinds k CROSS JOIN LATERAL"
    "   (SELECT game, variant FROM rating r WHERE (r.game, r.variant) > (k.game, k.variant)"
    "    ORDER BY r.game, r.variant LIMIT 1) n),"
    " best AS (SELECT r.* FROM kinds k CROSS JOIN LATERAL"
    "  (SELECT * FROM rating WHERE game = k.game AND variant = k.variant"
    "   ORDER BY rating DESC, deviation, player LIMIT $3::int + 50) r"
    "  WHERE k.variant <> '" VARIANT_PUZZLES "' AND ($1 = '' OR k.game = $1)"
    "   AND ($2 = '' OR k.variant = $2))"
    " SELECT name, bot, game, variant, rating, deviation, volatility, matches, place, display FROM"
    " (SELECT p.name, p.display, p.bot, r.game, r.variant, r.rating, r.deviation, r.volatility, "
    "r.matches,"
    "   row_number() OVER (PARTITION BY r.game, r.variant"
    "    ORDER BY r.rating DESC, r.deviation, p.name COLLATE \"C\") AS place"
    "  FROM best r JOIN player p ON p.id = r.player) AS ranked WHERE place <= $3::int";

#define HISTORY                                                                                    \
    " FROM match m WHERE m.ended IS NOT NULL AND m.started AND (m.white = $5::bigint"              \
    " OR m.black = $5::bigint) AND (NOT m.private OR m.white = $6::bigint"                         \
    " OR m.black = $6::bigint) AND " PLIES " > 0"
#define AGAINST                                                                                    \
    " AND ($7::bigint = 0 OR (m.white = $5::bigint AND m.black = $7::bigint)"                      \
    " OR (m.black = $5::bigint AND m.white = $7::bigint))"
#define TAKEN HISTORY OF_GAME AGAINST

static const char history_sql[] =
    "SELECT l.*, total, looked_at FROM (SELECT (SELECT count(*)" TAKEN ") AS total,"
    " (SELECT count(*)" HISTORY ") AS looked_at) c LEFT JOIN"
    " (SELECT m.id, m.game, m.variant, (SELECT name FROM player WHERE id = m.white) AS white,"
    "   (SELECT name FROM player WHERE id = m.black) AS black, m.result, m.reason, m.opened_s,"
    "   " PLIES ", m.white_rating, m.black_rating, m.rated" TAKEN
    "   ORDER BY m.ended DESC LIMIT $1::int OFFSET $2::int) l ON true";

/* The name of the series is $1. */
static const char series_sql[] =
    "SELECT l.*, s.game, s.variant, d.name, d.id, s.tournaments,"
    " (SELECT count(*) FROM series_score WHERE series = $1)"
    " FROM series s JOIN player d ON d.id = s.director LEFT JOIN LATERAL"
    " (SELECT p.name, p.display, p.bot, t.tournaments, t.points2, t.matches, t.played2,"
    "   t.opponents, t.place FROM"
    "    (SELECT *, rank() OVER (ORDER BY points2 DESC) AS place FROM series_score"
    "     WHERE series = $1 ORDER BY points2 DESC, matches, player"
    "     LIMIT $2::int OFFSET $3::int) t JOIN player p ON p.id = t.player"
    "   ORDER BY t.points2 DESC, t.matches, t.player) l ON true WHERE s.name = $1";

/* Reads the next row of the answer: false leaves it out, as it names a game that is unknown. */
typedef bool row_reader(const struct answer *answer, int row, struct look_up *look_up);

static const struct game *read_game(const struct answer *answer, int row, int column)
{
    const char *name = answer_text(answer, row, column);

    return game_find(name, strlen(name));
}

static void read_text(char *text, size_t size, const struct answer *answer, int row, int column)
{
    snprintf(text, size, "%s", answer_text(answer, row, column));
}

static bool read_list_row(const struct answer *answer, int row, struct look_up *look_up)
{
    struct list_row *to = &look_up->list[look_up->count];
    const char *status = answer_text(answer, row, 5);

    look_up->total = (int)answer_integer(answer, row, 11);
    if (answer_is_null(answer, row, 0))
        return false; /* only the total: none is on this page */
    read_text(to->id, sizeof to->id, answer, row, 0);
    to->game = read_game(answer, row, 1);
    read_text(to->variant, sizeof to->variant, answer, row, 2);
    read_text(to->names[WHITE], NAME_TEXT_MAX, answer, row, 3);
    read_text(to->names[BLACK], NAME_TEXT_MAX, answer, row, 4);
    to->status = strcmp(status, "playing") == 0 ? MATCH_PLAYING : MATCH_OPEN;
    to->plies = (int)answer_integer(answer, row, 6);
    to->base_ms = answer_integer(answer, row, 7);
    to->increment_ms = answer_integer(answer, row, 8);
    to->casual = !answer_bool(answer, row, 9);
    to->away = answer_bool(answer, row, 10);
    to->code = answer_bool(answer, row, 12);
    read_text(to->displays[WHITE], DISPLAY_TEXT_MAX, answer, row, 13);
    read_text(to->displays[BLACK], DISPLAY_TEXT_MAX, answer, row, 14);
    return to->game != NULL;
}

static bool read_who_row(const struct answer *answer, int row, struct look_up *look_up)
{
    struct who_row *to = &look_up->who[look_up->count];

    look_up->total = (int)answer_integer(answer, row, 7);
    if (answer_is_null(answer, row, 0))
        return false; /* only the total: none is on this page */
    read_text(to->name, sizeof to->name, answer, row, 0);
    read_text(to->display, sizeof to->display, answer, row, 6);
    to->bot = answer_bool(answer, row, 1);
    to->game = read_game(answer, row, 2);
    read_text(to->variant, sizeof to->variant, answer, row, 3);
    to->rating = record_rating_after(answer_real(answer, row, 4));
    to->playing = (int)answer_integer(answer, row, 5);
    return true;
}

static bool read_top_row(const struct answer *answer, int row, struct look_up *look_up)
{
    struct top_row *to = &look_up->top[look_up->count];

    read_text(to->name, sizeof to->name, answer, row, 0);
    to->bot = answer_bool(answer, row, 1);
    to->game = read_game(answer, row, 2);
    read_text(to->variant, sizeof to->variant, answer, row, 3);
    to->now = glicko_sane((struct glicko){answer_real(answer, row, 4), answer_real(answer, row, 5),
                                          answer_real(answer, row, 6)});
    to->matches = (int)answer_integer(answer, row, 7);
    to->rank = (int)answer_integer(answer, row, 8);
    read_text(to->display, sizeof to->display, answer, row, 9);
    return to->game != NULL;
}

static bool read_history_row(const struct answer *answer, int row, struct look_up *look_up)
{
    struct history_row *to = &look_up->history[look_up->count];

    look_up->total = (int)answer_integer(answer, row, 12);
    look_up->looked_at = (int)answer_integer(answer, row, 13);
    if (answer_is_null(answer, row, 0))
        return false; /* only the totals */
    read_text(to->id, sizeof to->id, answer, row, 0);
    to->game = read_game(answer, row, 1);
    read_text(to->variant, sizeof to->variant, answer, row, 2);
    read_text(to->names[WHITE], NAME_TEXT_MAX, answer, row, 3);
    read_text(to->names[BLACK], NAME_TEXT_MAX, answer, row, 4);
    to->date = (time_t)answer_integer(answer, row, 7);
    to->plies = (int)answer_integer(answer, row, 8);
    to->rating_after[WHITE] = record_rating_after(answer_real(answer, row, 9));
    to->rating_after[BLACK] = record_rating_after(answer_real(answer, row, 10));
    to->casual = !answer_bool(answer, row, 11);
    return to->game != NULL && record_is_date(to->date) &&
           pgn_outcome(answer_text(answer, row, 5), answer_text(answer, row, 6), &to->outcome);
}

static bool read_series_row(const struct answer *answer, int row, struct look_up *look_up)
{
    struct series_row *to = &look_up->scores[look_up->count];
    struct series *series = &look_up->series;

    *series = (struct series){.game = read_game(answer, row, 9),
                              .director_id = answer_integer(answer, row, 12),
                              .tournaments = (int)answer_integer(answer, row, 13),
                              .players = (int)answer_integer(answer, row, 14)};
    series_name_read(look_up->question.key, series->name);
    read_text(series->variant, sizeof series->variant, answer, row, 10);
    read_text(series->director, sizeof series->director, answer, row, 11);
    if (answer_is_null(answer, row, 0))
        return false; /* only the series: nobody is on this page */
    read_text(to->name, sizeof to->name, answer, row, 0);
    read_text(to->display, sizeof to->display, answer, row, 1);
    to->bot = answer_bool(answer, row, 2);
    to->score = (struct series_score){.tournaments = (int)answer_integer(answer, row, 3),
                                      .points2 = (int)answer_integer(answer, row, 4),
                                      .matches = (int)answer_integer(answer, row, 5),
                                      .played2 = (int)answer_integer(answer, row, 6),
                                      .opponents = answer_real(answer, row, 7)};
    to->rank = (int)answer_integer(answer, row, 8);
    return true;
}

static int game_place(const struct game *game)
{
    int place = 0;

    while (games[place] != game)
        place++;
    return place;
}

/* Game by game, variant by variant, the best first. */
static int compare_top(const void *left, const void *right)
{
    const struct top_row *a = left, *b = right;

    if (a->game != b->game)
        return game_place(a->game) - game_place(b->game);
    int order = strverscmp(a->variant, b->variant);
    return order != 0 ? order : a->rank - b->rank;
}

/* The kinds of lists. */
static const struct list_kind {
    const char *sql;
    size_t row_bytes;
    row_reader *read;
} kinds[] = {
    [LOOK_LIST] = {list_sql, sizeof(struct list_row), read_list_row},
    [LOOK_WHO] = {who_sql, sizeof(struct who_row), read_who_row},
    [LOOK_TOP] = {top_sql, sizeof(struct top_row), read_top_row},
    [LOOK_HISTORY] = {history_sql, sizeof(struct history_row), read_history_row},
    [LOOK_SERIES] = {series_sql, sizeof(struct series_row), read_series_row},
};

static void take_rows(void *context, const struct answer *answer)
{
    struct asking asking = *(struct asking *)context;
    struct look_up *look_up = asking.look_up;
    const struct list_kind *kind = &kinds[look_up->question.kind];

    free(context);
    if (has_failed(asking.postgres, look_up, answer))
        return;
    int count = answer_rows(answer);
    look_up->rows = xcalloc((size_t)count + 1, kind->row_bytes);
    for (int row = 0; row < count; row++)
        look_up->count += kind->read(answer, row, look_up);
    if (look_up->question.kind == LOOK_TOP)
        qsort(look_up->top, (size_t)look_up->count, sizeof *look_up->top, compare_top);
    end_look_up(asking.postgres, look_up, LOOK_FOUND);
}

/* Splits GAME[:VARIANT] in place. Returns the variant, "" for none. */
static const char *split_variant(char *key)
{
    char *colon = strchr(key, ':');

    if (colon == NULL)
        return "";
    *colon = '\0';
    return colon + 1;
}

/* The words by which a filter is asked for; "" asks for all. */
static const char *const statuses[] = {
    [ANY_STATUS] = "", [ONLY_OPEN] = "open", [ONLY_PLAYING] = "playing"};
static const char *const yes_or_no[] = {"", "true", "false"};

static void look_up_list(struct postgres *postgres, struct look_up *look_up)
{
    const struct question *question = &look_up->question;
    const struct row_filter *filter = &question->filter;
    struct number_text rows = number_text(question->rows_max), from = number_text(filter->from);
    struct number_text player = number_text(question->player), asker = number_text(question->asker);
    struct number_text against = number_text(filter->against);
    char game[LOOK_KEY_MAX];

    snprintf(game, sizeof game, "%s", question->key);
    const char *variant = split_variant(game), *bots = yes_or_no[filter->bots];
    const char *const top[] = {game, variant, rows.text};
    const char *const list[] = {
        rows.text, from.text, filter->game, filter->variant, statuses[filter->status], bots};
    const char *const who[] = {rows.text, from.text, yes_or_no[filter->playing], bots};
    const char *const history[] = {rows.text,   from.text,  filter->game, filter->variant,
                                   player.text, asker.text, against.text};
    const char *const series[] = {question->key, rows.text, from.text};
    const struct {
        const char *const *texts;
        int count;
    } values[] = {[LOOK_TOP] = {top, 3},
                  [LOOK_LIST] = {list, 6},
                  [LOOK_WHO] = {who, 4},
                  [LOOK_HISTORY] = {history, 7},
                  [LOOK_SERIES] = {series, 3}};
    link_ask(postgres->lists, kinds[question->kind].sql, values[question->kind].texts,
             values[question->kind].count, true, take_rows, asking_new(postgres, look_up));
}

static void take_table(void *context, const struct answer *answer)
{
    struct asking asking = *(struct asking *)context;

    free(context);
    if (has_failed(asking.postgres, asking.look_up, answer))
        return;
    asking.look_up->table = postgres_take_tables(asking.postgres, answer);
    if (answer_rows(answer) == 1 &&
        lobby_is_opening(asking.postgres->lobby, row_number(answer, 0))) {
        cause_set(&asking.look_up->cause, "the match is still being opened");
        end_look_up(asking.postgres, asking.look_up, LOOK_FAILED);
        return;
    }
    end_look_up(asking.postgres, asking.look_up,
                asking.look_up->table != NULL ? LOOK_FOUND : LOOK_NOTHING);
}

/* The condition of a match `m` with the id $1. That of a match that is not private is its number,
 * of which NUMBER_DIGITS make no other. */
static const char *has_id(const char *id)
{
    size_t length = strlen(id);

    return length > 0 && length <= NUMBER_DIGITS && strspn(id, "0123456789") == length
               ? "m.number = $1::text::bigint AND m.id = $1"
               : "m.private AND m.id = $1";
}

static void look_up_table(struct postgres *postgres, struct look_up *look_up)
{
    const char *key = look_up->question.key;
    const char *which = look_up->question.kind == LOOK_ONCE ? "m.once = $1" : has_id(key);

    postgres_look_after(postgres, which, key, take_table, asking_new(postgres, look_up));
}

static void take_record(void *context, const struct answer *answer)
{
    struct asking asking = *(struct asking *)context;
    struct look_up *look_up = asking.look_up;

    free(context);
    if (has_failed(asking.postgres, look_up, answer))
        return;
    if (answer_rows(answer) == 1) {
        look_up->stored = row_to_stored(answer, 0, &look_up->cause);
        if (look_up->stored == NULL || look_up->stored->table.broken != NULL)
            record_log_broken(row_number(answer, 0), &look_up->cause);
    }
    end_look_up(asking.postgres, look_up, look_up->stored != NULL ? LOOK_FOUND : LOOK_NOTHING);
}

/* The rest of the numbers that were gone through need not be again, unless there were too many. */
static void take_records(void *context, const struct answer *answer)
{
    struct asking asking = *(struct asking *)context;
    struct look_up *look_up = asking.look_up;
    int64_t last = look_up->next;
    int row = 0;

    free(context);
    if (has_failed(asking.postgres, look_up, answer))
        return;
    for (; row < answer_rows(answer) && !look_up_is_full(look_up); row++) {
        struct stored_match *stored = row_to_stored(answer, row, &look_up->cause);
        if (stored == NULL || stored->table.broken != NULL)
            record_log_broken(row_number(answer, row), &look_up->cause);
        if (stored != NULL)
            look_up_add_record(look_up, stored);
        look_up->next = row_number(answer, row);
    }
    if (row < look_up->question.rows_max && !look_up_is_full(look_up))
        look_up->next = last;
    end_look_up(asking.postgres, look_up, LOOK_FOUND);
}

/* Which matches of a span of numbers are wanted is known; reads them. */
static void take_record_numbers(void *context, const struct answer *answer)
{
    struct asking *asking = context;
    struct look_up *look_up = asking->look_up;

    if (has_failed(asking->postgres, look_up, answer)) {
        free(context);
        return;
    }
    look_up->next = answer_integer(answer, 0, 0);
    const char *const values[] = {answer_text(answer, 0, 1)};
    struct buffer sql = {0};
    postgres_put_match_sql(&sql, "m.number = ANY ($1::bigint[]) ORDER BY m.number");
    link_ask(asking->postgres->lists, sql.bytes, values, 1, true, take_records, asking);
    buffer_release(&sql);
}

static void look_up_records(struct postgres *postgres, struct look_up *look_up)
{
    const struct question *question = &look_up->question;
    struct number_text rows = number_text(question->rows_max), after = number_text(question->after);
    struct number_text since = number_text(question->since_s), span = number_text(RECORDS_SPAN);
    const char *const values[] = {
        rows.text,  after.text, question->filter.game, question->filter.variant,
        since.text, span.text};

    link_ask(postgres->lists,
             "SELECT CASE WHEN EXISTS (SELECT FROM match WHERE number >= first + $6::int)"
             "  THEN first + $6::int - 1 ELSE 0 END,"
             " array(SELECT m.number FROM match m WHERE m.number >= first"
             "  AND m.number < first + $6::int AND m.status = 'over' AND NOT m.private"
             "  AND m.opened_s >= $5::bigint" OF_GAME " AND " PLIES " > 0"
             "  ORDER BY m.number LIMIT $1::int)"
             " FROM (SELECT min(number) AS first FROM match WHERE number > $2::bigint) AS span",
             values, 6, true, take_record_numbers, asking_new(postgres, look_up));
}

static void ask_record(struct asking *asking)
{
    const char *key = asking->look_up->question.key;

    postgres_ask_matches(asking->postgres, has_id(key), key, take_record, asking);
}

/* Reads a match unless it is too long. */
static void take_plies(void *context, const struct answer *answer)
{
    struct asking *asking = context;

    if (answer->state == ANSWER_ROWS &&
        (answer_rows(answer) == 0 ||
         answer_integer(answer, 0, 0) <= asking->look_up->question.plies_max)) {
        ask_record(asking);
        return;
    }
    if (!has_failed(asking->postgres, asking->look_up, answer))
        end_look_up(asking->postgres, asking->look_up, LOOK_TOO_LONG);
    free(asking);
}

static void look_up_record(struct postgres *postgres, struct look_up *look_up)
{
    struct asking *asking = asking_new(postgres, look_up);
    const char *const values[] = {look_up->question.key};
    char sql[320];

    if (look_up->question.plies_max == 0) {
        ask_record(asking);
        return;
    }
    snprintf(sql, sizeof sql, "SELECT " PLIES " FROM match m WHERE m.status = 'over' AND %s",
             has_id(look_up->question.key));
    link_ask(postgres->reader, sql, values, 1, true, take_plies, asking);
}

static void take_name(void *context, const struct answer *answer)
{
    struct asking asking = *(struct asking *)context;

    free(context);
    if (has_failed(asking.postgres, asking.look_up, answer))
        return;
    if (answer_rows(answer) == 1)
        asking.look_up->player = row_to_player(asking.postgres, answer, 0);
    end_look_up(asking.postgres, asking.look_up,
                asking.look_up->player != NULL ? LOOK_FOUND : LOOK_NOTHING);
}

/* Asks for the player whom a look-up names. */
static void ask_player(struct postgres *postgres, answer_taker *taker, struct asking *asking)
{
    const char *const values[] = {asking->look_up->question.key};
    char sql[120];

    snprintf(sql, sizeof sql, "%sWHERE lower(p.name) = lower($1)", postgres_player_sql);
    link_ask(postgres->reader, sql, values, 1, true, taker, asking);
}

/* The matches of a player who has come: then all of them is here. */
static void take_own_matches(void *context, const struct answer *answer)
{
    struct asking asking = *(struct asking *)context;

    free(context);
    if (has_failed(asking.postgres, asking.look_up, answer))
        return;
    postgres_take_tables(asking.postgres, answer);
    end_look_up(asking.postgres, asking.look_up, LOOK_FOUND);
}

static void take_own_player(void *context, const struct answer *answer)
{
    struct asking *asking = context;
    struct postgres *postgres = asking->postgres;

    if (has_failed(postgres, asking->look_up, answer)) {
        free(asking);
        return;
    }
    struct player *player = answer_rows(answer) == 1 ? row_to_player(postgres, answer, 0) : NULL;
    asking->look_up->player = player;
    if (player == NULL) {
        end_look_up(postgres, asking->look_up, LOOK_NOTHING);
        free(asking);
        return;
    }
    struct number_text id = number_text(player->id);
    postgres_look_after(postgres, OWN_MATCHES " ORDER BY m.number", id.text, take_own_matches,
                        asking);
}

/* A player who has connections here, and was not kept as being here, was called elsewhere alone
 * just before this claim: the claim came after that, but these connections end. */
static void end_replaced(struct postgres *postgres, const struct answer *claim)
{
    struct player *player = players_find_id(postgres->players, answer_integer(claim, 0, 0));

    if (player != NULL && player_is_connected(player) && answer_bool(claim, 0, 4))
        postgres->keeper.calls->replaced(postgres->keeper.context, player);
}

/* With the right token the player is this server's. */
static void take_claim(void *context, const struct answer *answer)
{
    struct asking *asking = context;
    struct postgres *postgres = asking->postgres;
    struct look_up *look_up = asking->look_up;
    struct number_text node = number_text(postgres->nodes.own);

    if (has_failed(postgres, look_up, answer)) {
        free(asking);
        return;
    }
    bool there = answer_rows(answer) == 1;
    if (!there || answer_is_null(answer, 0, 1)) {
        free(asking);
        end_look_up(postgres, look_up, there ? LOOK_REFUSED : LOOK_NOTHING);
        return;
    }
    look_up->login = (int)answer_integer(answer, 0, 1);
    look_up->cut_ms = answer_integer(answer, 0, 2);
    look_up->token = (int)answer_integer(answer, 0, 3);
    end_replaced(postgres, answer);
    const char *const values[] = {node.text, answer_text(answer, 0, 0)};
    link_ask(postgres->reader, "SELECT tell_places($1, ARRAY[$2::bigint])", values, 2, false,
             postgres_ignore, NULL);
    ask_player(postgres, take_own_player, asking);
}

static void look_up_claim(struct postgres *postgres, struct look_up *look_up)
{
    struct number_text node = number_text(postgres->nodes.own);
    unsigned char hash[TOKEN_HASH_BYTES];
    char hex[3 + 2 * TOKEN_HASH_BYTES] = "\\x";
    const char *const values[] = {node.text, look_up->question.key, hex,
                                  look_up->question.only ? "true" : "false"};

    token_hash(hash, look_up->question.token);
    sodium_bin2hex(hex + 2, sizeof hex - 2, hash, TOKEN_HASH_BYTES);
    link_ask(postgres->reader,
             "SELECT p.id, c.new_login, c.cut_ms, c.token_number, c.is_new FROM player p LEFT JOIN "
             "LATERAL"
             " log_in($1, p.name, $3::bytea, $4) c ON true WHERE lower(p.name) = lower($2)",
             values, 4, true, take_claim, asking_new(postgres, look_up));
}

static void take_only(void *context, const struct answer *answer)
{
    struct asking asking = *(struct asking *)context;

    free(context);
    if (has_failed(asking.postgres, asking.look_up, answer))
        return;
    asking.look_up->login = (int)answer_integer(answer, 0, 0);
    end_look_up(asking.postgres, asking.look_up, LOOK_NOTHING);
}

static void look_up_only(struct postgres *postgres, struct look_up *look_up)
{
    struct number_text node = number_text(postgres->nodes.own);
    const char *const values[] = {node.text, look_up->question.key};

    link_ask(postgres->reader, "SELECT stay_alone($1, $2)", values, 2, true, take_only,
             asking_new(postgres, look_up));
}

/* Columns of token_sql: the player, then a token of theirs. */
enum {
    TOKEN_PLAYER,
    TOKEN_NUMBER,
    TOKEN_HASH,
    TOKEN_LABEL,
    TOKEN_SINCE_S,
    TOKEN_LAST,
    TOKEN_CODE,
    TOKEN_WINDOWS
};

static const char token_sql[] =
    "SELECT r.person, coalesce(t.number, 1), encode(coalesce(t.hash, p.token_hash), 'hex'),"
    " coalesce(t.label, ''), coalesce(t.since_s, 0), p.last_token, EXISTS (SELECT FROM device d"
    "  WHERE d.player = p.id AND d.code = $2::bytea AND d.until > clock_timestamp()),"
    " (SELECT count(*) FROM here h CROSS JOIN unnest(h.windows) w"
    "  WHERE h.player = p.id AND h.node <> $3 AND w = coalesce(t.number, 1))"
    " FROM player p JOIN player_row r USING (id) LEFT JOIN token t ON t.player = p.id"
    " WHERE p.kind = 'named' AND lower(p.name) = lower($1) ORDER BY t.number";

static void take_tokens(void *context, const struct answer *answer)
{
    struct asking asking = *(struct asking *)context;
    struct look_up *look_up = asking.look_up;
    int count = answer_rows(answer);

    free(context);
    if (has_failed(asking.postgres, look_up, answer))
        return;
    if (count > 0) {
        struct player *player = row_to_player(asking.postgres, answer, 0);
        int last = (int)answer_integer(answer, 0, TOKEN_LAST);
        player_set_tokens(player, NULL);
        for (int row = 0; row < count; row++) {
            const char *hex = answer_text(answer, row, TOKEN_HASH);
            struct token token = {.number = (int)answer_integer(answer, row, TOKEN_NUMBER),
                                  .since_s = answer_integer(answer, row, TOKEN_SINCE_S)};
            sodium_hex2bin(token.hash, sizeof token.hash, hex, strlen(hex), NULL, NULL, NULL);
            read_text(token.label, sizeof token.label, answer, row, TOKEN_LABEL);
            player_add_token(player, &token);
            if (row < TOKENS_MAX)
                look_up->windows[row] = (int)answer_integer(answer, row, TOKEN_WINDOWS);
        }
        player->last_token = last;
        look_up->player = player;
        look_up->code_is_good = answer_bool(answer, 0, TOKEN_CODE);
    }
    end_look_up(asking.postgres, look_up, count > 0 ? LOOK_FOUND : LOOK_NOTHING);
}

/* Finds whether there is a row: somebody, or a device code that has taken effect. */
static void take_any(void *context, const struct answer *answer)
{
    struct asking asking = *(struct asking *)context;

    free(context);
    if (!has_failed(asking.postgres, asking.look_up, answer))
        end_look_up(asking.postgres, asking.look_up,
                    answer_rows(answer) == 1 ? LOOK_FOUND : LOOK_NOTHING);
}

/* Asks whether somebody has a name, or a display name, or looks so. */
static void look_up_likeness(struct postgres *postgres, struct look_up *look_up)
{
    const struct question *question = &look_up->question;
    struct number_text own = number_text(question->player);
    char looks[LOOKS_TEXT_MAX];
    const char *const free_name[] = {looks, question->key};
    const char *const like[] = {question->key, own.text};

    name_looks(question->key, looks);
    if (question->kind == LOOK_FREE)
        link_ask(postgres->reader,
                 "SELECT FROM player WHERE looks = $1 OR lower(name) = lower($2) LIMIT 1",
                 free_name, 2, true, take_any, asking_new(postgres, look_up));
    else
        link_ask(postgres->reader,
                 "SELECT FROM player WHERE id <> $2 AND (looks = $1 OR (name_looks(name) = $1"
                 " AND kind <> 'guest')) LIMIT 1",
                 like, 2, true, take_any, asking_new(postgres, look_up));
}

/* Asks for the tokens of a player, or offers a device code. */
static void look_up_tokens(struct postgres *postgres, struct look_up *look_up)
{
    const struct question *question = &look_up->question;
    struct number_text most = number_text(TOKENS_MAX), valid = number_text(DEVICE_S);
    struct number_text node = number_text(postgres->nodes.own);
    unsigned char hash[TOKEN_HASH_BYTES];
    char hex[3 + 2 * TOKEN_HASH_BYTES] = "\\x";
    const char *const offer[] = {question->key, hex, most.text, valid.text};
    const char *const tokens[] = {question->key, hex, node.text};

    token_hash(hash, question->token);
    sodium_bin2hex(hex + 2, sizeof hex - 2, hash, TOKEN_HASH_BYTES);
    if (question->kind == LOOK_TOKENS)
        link_ask(postgres->reader, token_sql, tokens, 3, true, take_tokens,
                 asking_new(postgres, look_up));
    else
        link_ask(postgres->reader,
                 "INSERT INTO device SELECT id, $2::bytea,"
                 "  clock_timestamp() + make_interval(secs => $4) FROM player p"
                 " WHERE kind = 'named' AND lower(name) = lower($1)"
                 "  AND (SELECT count(*) FROM token WHERE player = p.id) < $3 ON CONFLICT (player)"
                 " DO UPDATE SET code = excluded.code, until = excluded.until RETURNING player",
                 offer, 4, true, take_any, asking_new(postgres, look_up));
}

void postgres_forgave(struct keeper *keeper, const struct player *player)
{
    struct postgres *postgres = (struct postgres *)keeper;
    struct number_text id = number_text(player->id);
    const char *const values[] = {id.text};

    link_ask(postgres->reader,
             "WITH off AS (SELECT set_config('synchronous_commit', 'off', true))"
             " UPDATE player SET cut = NULL FROM off WHERE id = $1 AND cut IS NOT NULL",
             values, 1, false, postgres_ignore, NULL);
}

static void take_numbers(void *context, const struct answer *answer)
{
    struct asking asking = *(struct asking *)context;
    struct postgres *postgres = asking.postgres;

    free(context);
    postgres->asked &= ~(unsigned)ASKED_NUMBERS;
    if (answer->state == ANSWER_ROWS) {
        struct numbers *numbers = &postgres->lobby->numbers;
        numbers->spare = answer_integer(answer, 0, 0) - 1;
        numbers->spare_end = numbers->spare + MATCH_NUMBERS;
    }
    if (asking.look_up != NULL && !has_failed(postgres, asking.look_up, answer))
        end_look_up(postgres, asking.look_up, LOOK_FOUND);
}

static void ask_match_numbers(struct postgres *postgres, struct look_up *look_up)
{
    postgres->asked |= ASKED_NUMBERS;
    link_ask(postgres->reader, "SELECT nextval('match_number')", NULL, 0, true, take_numbers,
             asking_new(postgres, look_up));
}

static void take_ids(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    struct numbers *ids = &postgres->players->ids;

    postgres->asked &= ~(unsigned)ASKED_IDS;
    if (answer->state != ANSWER_ROWS)
        return;
    ids->spare = answer_integer(answer, 0, 0) - 1;
    ids->spare_end = ids->spare + PLAYER_IDS;
}

void postgres_ask_numbers(struct postgres *postgres)
{
    const struct lobby *lobby = postgres->lobby;
    const struct players *players = postgres->players;

    if ((postgres->asked & ASKED_NUMBERS) == 0 && lobby->numbers.spare_end == 0 &&
        lobby->numbers.end - lobby->opened < MATCH_NUMBERS / 2)
        ask_match_numbers(postgres, NULL);
    if ((postgres->asked & ASKED_IDS) == 0 && players->ids.spare_end == 0 &&
        players->ids.end - players->last_id < PLAYER_IDS / 2) {
        postgres->asked |= ASKED_IDS;
        link_ask(postgres->reader, "SELECT nextval('player_id')", NULL, 0, true, take_ids,
                 postgres);
    }
}

static void take_tournaments(void *context, const struct answer *answer)
{
    struct asking asking = *(struct asking *)context;

    free(context);
    if (!has_failed(asking.postgres, asking.look_up, answer))
        end_look_up(asking.postgres, asking.look_up, LOOK_NOTHING);
}

/* The answers come in the order of the questions. */
static void look_up_tournaments(struct postgres *postgres, struct look_up *look_up)
{
    postgres_ask_tournaments(postgres, postgres->reader);
    link_ask(postgres->reader, "SELECT", NULL, 0, true, take_tournaments,
             asking_new(postgres, look_up));
}

static void take_review(void *context, const struct answer *answer)
{
    struct asking asking = *(struct asking *)context;
    struct look_up *look_up = asking.look_up;

    free(context);
    if (has_failed(asking.postgres, look_up, answer))
        return;
    if (answer_rows(answer) == 1)
        look_up->review = xstrdup(answer_text(answer, 0, 0));
    end_look_up(asking.postgres, look_up, look_up->review != NULL ? LOOK_FOUND : LOOK_NOTHING);
}

static void look_up_review(struct postgres *postgres, struct look_up *look_up)
{
    const char *key = look_up->question.key;
    struct buffer sql = {0};

    buffer_printf(&sql, "SELECT lines FROM review JOIN match m ON m.number = match WHERE %s",
                  has_id(key));
    link_ask(postgres->lists, sql.bytes, &key, 1, true, take_review, asking_new(postgres, look_up));
    buffer_release(&sql);
}

/* How the solver is rated (no key), then the puzzles of the game that somebody has tried, and
 * whether this player has. */
static const char solver_sql[] =
    "SELECT NULL::bigint, rating, deviation, volatility, matches, false FROM rating"
    " WHERE player = $1::bigint AND game = $2 AND variant = '" VARIANT_PUZZLES "'"
    " UNION ALL SELECT key, rating, deviation, volatility, attempts, EXISTS (SELECT FROM attempt a"
    "  WHERE a.player = $1::bigint AND a.game = $2 AND a.key = z.key) FROM puzzle z"
    " WHERE game = $2";

enum { SOLVER_KEY, SOLVER_RATING, SOLVER_DEVIATION, SOLVER_VOLATILITY, SOLVER_COUNT, SOLVER_TRIED };

/* Takes over what is kept, unless this server has kept more since. */
static void take_solver_row(struct rated_puzzles *puzzles, const struct answer *answer, int row,
                            struct rating *solver)
{
    const struct glicko now = glicko_sane((struct glicko){
        answer_real(answer, row, SOLVER_RATING), answer_real(answer, row, SOLVER_DEVIATION),
        answer_real(answer, row, SOLVER_VOLATILITY)});
    int count = (int)answer_integer(answer, row, SOLVER_COUNT);

    if (answer_is_null(answer, row, SOLVER_KEY)) {
        if (count > solver->matches) {
            solver->now = now;
            solver->matches = count;
        }
        return;
    }
    struct rated_puzzle *puzzle =
        rated_puzzle_find_key(puzzles, solver->game, answer_integer(answer, row, SOLVER_KEY));
    if (puzzle == NULL)
        return; /* of another version */
    if (count > puzzle->attempts)
        rated_puzzle_set(puzzle, now, count);
    if (answer_bool(answer, row, SOLVER_TRIED))
        rating_note_tried(solver, puzzle->number);
}

static void take_solver(void *context, const struct answer *answer)
{
    struct asking asking = *(struct asking *)context;
    const struct question *question = &asking.look_up->question;
    struct players *players = asking.postgres->players;
    const struct game *game = game_find(question->key, strlen(question->key));
    struct player *player = players_find_id(players, question->player);

    free(context);
    if (has_failed(asking.postgres, asking.look_up, answer))
        return;
    for (int row = 0; player != NULL && row < answer_rows(answer); row++)
        take_solver_row(&players->puzzles, answer, row,
                        rating_find_or_add(&player->ratings, game, VARIANT_PUZZLES));
    end_look_up(asking.postgres, asking.look_up, LOOK_NOTHING);
}

static void look_up_solver(struct postgres *postgres, struct look_up *look_up)
{
    struct number_text player = number_text(look_up->question.player);
    const char *const values[] = {player.text, look_up->question.key};

    link_ask(postgres->reader, solver_sql, values, 2, true, take_solver,
             asking_new(postgres, look_up));
}

/* Nobody waits for it. */
static void take_review_kept(void *context, const struct answer *answer)
{
    (void)context;
    if (answer->state != ANSWER_ROWS)
        log_line(LOG_ERROR, "event=review-not-kept error=%s", log_quote(answer->message).text);
}

void postgres_keep_review(struct keeper *keeper, const char *match, const char *text)
{
    struct postgres *postgres = (struct postgres *)keeper;
    const char *const values[] = {match, text};
    struct buffer sql = {0};

    buffer_printf(&sql,
                  "INSERT INTO review SELECT number, $2 FROM match m WHERE m.status = 'over' AND %s"
                  " ON CONFLICT DO NOTHING",
                  has_id(match));
    link_ask(postgres->lists, sql.bytes, values, 2, true, take_review_kept, NULL);
    buffer_release(&sql);
}

bool postgres_look_up(struct keeper *keeper, struct look_up *look_up)
{
    struct postgres *postgres = (struct postgres *)keeper;

    postgres->look_ups++;
    switch (look_up->question.kind) {
    case LOOK_TABLE:
    case LOOK_ONCE:
        look_up_table(postgres, look_up);
        break;
    case LOOK_RECORD:
        look_up_record(postgres, look_up);
        break;
    case LOOK_RECORDS:
        look_up_records(postgres, look_up);
        break;
    case LOOK_REVIEW:
        look_up_review(postgres, look_up);
        break;
    case LOOK_NAME:
        ask_player(postgres, take_name, asking_new(postgres, look_up));
        break;
    case LOOK_FREE:
    case LOOK_LIKE:
        look_up_likeness(postgres, look_up);
        break;
    case LOOK_CLAIM:
        look_up_claim(postgres, look_up);
        break;
    case LOOK_ONLY:
        look_up_only(postgres, look_up);
        break;
    case LOOK_TOKENS:
    case LOOK_DEVICE:
        look_up_tokens(postgres, look_up);
        break;
    case LOOK_TOURNAMENT:
        look_up_tournaments(postgres, look_up);
        break;
    case LOOK_SOLVER:
        look_up_solver(postgres, look_up);
        break;
    case LOOK_NUMBERS:
        ask_match_numbers(postgres, look_up);
        break;
    default:
        look_up_list(postgres, look_up);
    }
    return false;
}
