/* The second connection: lists. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/pgn.h"
#include "common/xmalloc.h"
#include "postgres.h"

#define PLIES                                                                                      \
    "coalesce((SELECT e.ply FROM entry e WHERE e.match = m.number ORDER BY e.version DESC"         \
    " LIMIT 1), 0)"

/* The filters: the game, the variant, the status or whether they play, whether they are bots. */
#define OF_GAME      " AND ($3 = '' OR m.game = $3) AND ($4 = '' OR m.variant = $4)"
#define IS_BOT(seat) "coalesce(m." seat " IN (SELECT id FROM player WHERE bot), false)"
#define LISTED                                                                                     \
    " FROM match m WHERE m.status <> 'over' AND NOT m.private AND ($5 = '' OR m.status = "         \
    "$5)" OF_GAME " AND ($6 = '' OR (" IS_BOT("white") " OR " IS_BOT("black") ") = $6::bool)"

/* Those whose opener is away come last of each BLOCK, so that a page costs the same however many
 * matches there are. A page is in two blocks at most. */
#define BLOCK      "500"
#define TWO_BLOCKS "1000"
#define ORDER      " ORDER BY block, away, number DESC"

static const char list_sql[] =
    "SELECT m.id, m.game, m.variant, (SELECT name FROM player WHERE id = m.white),"
    " (SELECT name FROM player WHERE id = m.black), m.status, " PLIES ","
    " m.base_ms, m.increment_ms, m.rated, away FROM"
    " (SELECT number, (place - 1) / " BLOCK " AS block, status = 'open' AND"
    "   coalesce((SELECT node IS NULL FROM player WHERE id = creator), false) AS away FROM"
    "  (SELECT m.number, m.status, m.creator, row_number() OVER (ORDER BY m.number DESC)"
    "   AS place" LISTED " ORDER BY m.number DESC LIMIT " TWO_BLOCKS "   OFFSET $2::int / " BLOCK
    " * " BLOCK ") p"
    " " ORDER " LIMIT $1::int OFFSET $2::int % " BLOCK ") p JOIN match m USING (number)" ORDER;

static const char count_sql[] = "SELECT count(*), $1, $2" LISTED;
static const char count_all_sql[] =
    "SELECT count(*) FROM match WHERE status <> 'over' AND NOT private";

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
    " (SELECT p.name, p.bot, r.game, r.variant, r.rating, " PLAYS
    "   FROM player p LEFT JOIN LATERAL (SELECT game, variant, rating FROM rating"
    "    WHERE player = p.id ORDER BY matches DESC, game, variant LIMIT 1) r ON true" HERE
    "   ORDER BY p.id LIMIT $1::int OFFSET $2::int) l ON true";

static const char top_sql[] =
    "SELECT name, bot, game, variant, rating, deviation, volatility, matches, place FROM"
    " (SELECT p.name, p.bot, r.game, r.variant, r.rating, r.deviation, r.volatility, r.matches,"
    "   row_number() OVER (PARTITION BY r.game, r.variant"
    "    ORDER BY r.rating DESC, r.deviation, p.name COLLATE \"C\") AS place"
    "  FROM rating r JOIN player p ON p.id = r.player"
    "  WHERE ($1 = '' OR r.game = $1) AND ($2 = '' OR r.variant = $2)) AS ranked"
    " WHERE place <= $3::int";

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

enum { LIST_VALUES = 6 };

/* What a taker needs. */
struct listing {
    struct postgres *postgres;
    struct look_up *look_up;
};

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
    return to->game != NULL;
}

static bool read_who_row(const struct answer *answer, int row, struct look_up *look_up)
{
    struct who_row *to = &look_up->who[look_up->count];

    look_up->total = (int)answer_integer(answer, row, 6);
    if (answer_is_null(answer, row, 0))
        return false; /* only the total: none is on this page */
    read_text(to->name, sizeof to->name, answer, row, 0);
    to->bot = answer_bool(answer, row, 1);
    to->game = read_game(answer, row, 2);
    read_text(to->variant, sizeof to->variant, answer, row, 3);
    to->rating = answer_real(answer, row, 4);
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
    to->rated[WHITE] = answer_real(answer, row, 9);
    to->rated[BLACK] = answer_real(answer, row, 10);
    to->casual = !answer_bool(answer, row, 11);
    return to->game != NULL &&
           pgn_outcome(answer_text(answer, row, 5), answer_text(answer, row, 6), &to->outcome);
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
};

static void take_rows(void *context, const struct answer *answer)
{
    struct listing listing = *(struct listing *)context;
    struct look_up *look_up = listing.look_up;
    const struct list_kind *kind = &kinds[look_up->question.kind];

    free(context);
    if (postgres_has_failed(listing.postgres, look_up, answer))
        return;
    int count = answer_rows(answer);
    look_up->rows = xcalloc((size_t)count + 1, kind->row_bytes);
    for (int row = 0; row < count; row++)
        look_up->count += kind->read(answer, row, look_up);
    if (look_up->question.kind == LOOK_TOP)
        qsort(look_up->top, (size_t)look_up->count, sizeof *look_up->top, compare_top);
    if (look_up->question.kind == LOOK_LIST)
        look_up->total = postgres_total(listing.postgres, &look_up->question.filter);
    postgres_answer(listing.postgres, look_up, LOOK_FOUND);
}

/* The values are those of list_sql. */
static struct count_question count_question(const struct row_filter *filter,
                                            const char *const *values)
{
    bool any = filter->game[0] == '\0' && filter->status == ANY_STATUS && filter->bots == ANYBODY;

    return (struct count_question){filter, any ? count_all_sql : count_sql, values,
                                   any ? 0 : LIST_VALUES};
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

void postgres_look_up_list(struct postgres *postgres, struct look_up *look_up)
{
    const struct question *question = &look_up->question;
    const struct row_filter *filter = &question->filter;
    struct number_text rows = number_text(question->rows_max), from = number_text(filter->from);
    struct number_text player = number_text(question->player), asker = number_text(question->asker);
    struct number_text against = number_text(filter->against);
    struct listing *listing = xmalloc(sizeof *listing);
    char game[LOOK_KEY_MAX];

    snprintf(game, sizeof game, "%s", question->key);
    const char *variant = split_variant(game), *bots = yes_or_no[filter->bots];
    const char *const top[] = {game, variant, rows.text};
    const char *const list[] = {
        rows.text, from.text, filter->game, filter->variant, statuses[filter->status], bots};
    const char *const who[] = {rows.text, from.text, yes_or_no[filter->playing], bots};
    const char *const history[] = {rows.text,   from.text,  filter->game, filter->variant,
                                   player.text, asker.text, against.text};
    const struct {
        const char *const *texts;
        int count;
    } values[] = {[LOOK_TOP] = {top, 3},
                  [LOOK_LIST] = {list, LIST_VALUES},
                  [LOOK_WHO] = {who, 4},
                  [LOOK_HISTORY] = {history, 7}};
    *listing = (struct listing){postgres, look_up};
    bool is_list = question->kind == LOOK_LIST;
    struct count_question total = count_question(filter, list);
    if (is_list)
        postgres_count_before(postgres, &total);
    link_ask(postgres->reader, kinds[question->kind].sql, values[question->kind].texts,
             values[question->kind].count, true, take_rows, listing);
    if (is_list)
        postgres_count_behind(postgres, &total);
}
