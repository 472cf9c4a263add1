#include "stored.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_text.h"
#include "common/move.h"
#include "common/pgn.h"
#include "common/xmalloc.h"
#include "server/base/log.h"
#include "server/wire/wire.h"

const struct column match_columns[MATCH_COLUMNS] = {
    [COLUMN_NUMBER] = {"number", TYPE_INTEGER},
    [COLUMN_ID] = {"id", TYPE_TEXT},
    [COLUMN_ONCE] = {"once", TYPE_TEXT},
    [COLUMN_CODE] = {"code", TYPE_TEXT},
    [COLUMN_PRIVATE] = {"private", TYPE_BOOL},
    [COLUMN_RATED] = {"rated", TYPE_BOOL},
    [COLUMN_GAME] = {"game", TYPE_TEXT},
    [COLUMN_VARIANT] = {"variant", TYPE_TEXT},
    [COLUMN_START] = {"start", TYPE_TEXT},
    [COLUMN_OPENED_S] = {"opened_s", TYPE_INTEGER},
    [COLUMN_BASE_MS] = {"base_ms", TYPE_INTEGER},
    [COLUMN_INCREMENT_MS] = {"increment_ms", TYPE_INTEGER},
    [COLUMN_CREATOR] = {"creator", TYPE_INTEGER},
    [COLUMN_WHITE] = {"white", TYPE_INTEGER},
    [COLUMN_BLACK] = {"black", TYPE_INTEGER},
    [COLUMN_WHITE_JOINED] = {"white_joined", TYPE_BOOL},
    [COLUMN_BLACK_JOINED] = {"black_joined", TYPE_BOOL},
    [COLUMN_KICKED] = {"kicked", TYPE_TEXT},
    [COLUMN_WAS_OPEN] = {"was_open", TYPE_INTEGER},
    [COLUMN_STATUS] = {"status", TYPE_TEXT},
    [COLUMN_STARTED] = {"started", TYPE_BOOL},
    [COLUMN_RESULT] = {"result", TYPE_TEXT},
    [COLUMN_REASON] = {"reason", TYPE_TEXT},
    [COLUMN_ENDED] = {"ended", TYPE_INTEGER},
    [COLUMN_WHITE_RATING] = {"white_rating", TYPE_REAL},
    [COLUMN_BLACK_RATING] = {"black_rating", TYPE_REAL},
    [COLUMN_POSITION] = {"position", TYPE_TEXT},
    [COLUMN_PLIES] = {"plies", TYPE_INTEGER},
    [COLUMN_CHANGED_S] = {"changed_s", TYPE_INTEGER},
    [COLUMN_OFFERS] = {"offers", TYPE_INTEGER},
    [COLUMN_WHITE_MS] = {"white_ms", TYPE_INTEGER},
    [COLUMN_BLACK_MS] = {"black_ms", TYPE_INTEGER},
    [COLUMN_MOVES] = {"moves", TYPE_TEXT},
};

const struct column player_columns[PLAYER_COLUMNS] = {
    [PLAYER_COLUMN_ID] = {"id", TYPE_INTEGER},
    [PLAYER_COLUMN_NAME] = {"name", TYPE_TEXT},
    [PLAYER_COLUMN_KIND] = {"kind", TYPE_TEXT},
    [PLAYER_COLUMN_BOT] = {"bot", TYPE_BOOL},
    [PLAYER_COLUMN_TOKEN_HASH] = {"token_hash", TYPE_BYTES},
    [PLAYER_COLUMN_SEEN_S] = {"seen_s", TYPE_INTEGER},
    [PLAYER_COLUMN_DISPLAY] = {"display", TYPE_TEXT},
    [PLAYER_COLUMN_LOOKS] = {"looks", TYPE_TEXT},
};

const struct column rating_columns[RATING_COLUMNS] = {
    [RATING_COLUMN_PLAYER] = {"player", TYPE_INTEGER},
    [RATING_COLUMN_GAME] = {"game", TYPE_TEXT},
    [RATING_COLUMN_VARIANT] = {"variant", TYPE_TEXT},
    [RATING_COLUMN_RATING] = {"rating", TYPE_REAL},
    [RATING_COLUMN_DEVIATION] = {"deviation", TYPE_REAL},
    [RATING_COLUMN_VOLATILITY] = {"volatility", TYPE_REAL},
    [RATING_COLUMN_MATCHES] = {"matches", TYPE_INTEGER},
};

const struct column puzzle_columns[PUZZLE_COLUMNS] = {
    [PUZZLE_COLUMN_GAME] = {"game", TYPE_TEXT},
    [PUZZLE_COLUMN_KEY] = {"key", TYPE_INTEGER},
    [PUZZLE_COLUMN_RATING] = {"rating", TYPE_REAL},
    [PUZZLE_COLUMN_DEVIATION] = {"deviation", TYPE_REAL},
    [PUZZLE_COLUMN_VOLATILITY] = {"volatility", TYPE_REAL},
    [PUZZLE_COLUMN_ATTEMPTS] = {"attempts", TYPE_INTEGER},
};

const struct column attempt_columns[ATTEMPT_COLUMNS] = {
    [ATTEMPT_COLUMN_PLAYER] = {"player", TYPE_INTEGER},
    [ATTEMPT_COLUMN_GAME] = {"game", TYPE_TEXT},
    [ATTEMPT_COLUMN_KEY] = {"key", TYPE_INTEGER},
};

const struct column series_columns[SERIES_COLUMNS] = {
    [SERIES_COLUMN_NAME] = {"name", TYPE_TEXT},
    [SERIES_COLUMN_DIRECTOR] = {"director", TYPE_INTEGER},
    [SERIES_COLUMN_GAME] = {"game", TYPE_TEXT},
    [SERIES_COLUMN_VARIANT] = {"variant", TYPE_TEXT},
    [SERIES_COLUMN_TOURNAMENTS] = {"tournaments", TYPE_INTEGER},
};

const struct column score_columns[SCORE_COLUMNS] = {
    [SCORE_COLUMN_SERIES] = {"series", TYPE_TEXT},
    [SCORE_COLUMN_PLAYER] = {"player", TYPE_INTEGER},
    [SCORE_COLUMN_TOURNAMENTS] = {"tournaments", TYPE_INTEGER},
    [SCORE_COLUMN_POINTS2] = {"points2", TYPE_INTEGER},
    [SCORE_COLUMN_MATCHES] = {"matches", TYPE_INTEGER},
    [SCORE_COLUMN_PLAYED2] = {"played2", TYPE_INTEGER},
    [SCORE_COLUMN_OPPONENTS] = {"opponents", TYPE_REAL},
};

void columns_put_names(struct buffer *sql, const struct column columns[], uint64_t set,
                       const char *before, const char *behind)
{
    bool first = true;

    for (int i = 0; set >> i != 0; i++) {
        if ((set >> i & 1) == 0)
            continue;
        buffer_puts(sql, first ? "" : ", ");
        buffer_puts(sql, before);
        buffer_puts(sql, columns[i].name);
        buffer_puts(sql, behind);
        first = false;
    }
}

void columns_put_players_sql(struct buffer *sql)
{
    buffer_puts(sql, "SELECT ");
    columns_put_names(sql, player_columns, COLUMNS_ALL(PLAYER_COLUMNS), "p.", "");
    buffer_puts(sql, ", ");
    columns_put_names(sql, rating_columns, COLUMNS_ALL(RATING_COLUMNS), "r.", "");
    buffer_puts(sql, " FROM player p LEFT JOIN rating r ON r.player = p.id"
                     " ORDER BY p.id, r.game, r.variant");
    buffer_add(sql, "", 1);
}

static void put_real(struct buffer *json, const char *name, double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.17g", value);
    json_word(json, name, text); /* PostgreSQL reads it from a string, too */
}

static void put_bytes(struct buffer *json, const char *name, const struct value *value)
{
    char hex[3 + 2 * TOKEN_HASH_BYTES] = "\\x";

    assert(value->length <= TOKEN_HASH_BYTES);
    sodium_bin2hex(hex + 2, sizeof hex - 2, value->bytes, value->length);
    json_string(json, name, hex);
}

void columns_put_json(struct buffer *json, const struct column columns[], uint64_t set,
                      const struct value values[])
{
    for (int i = 0; set >> i != 0; i++) {
        const char *name = columns[i].name;
        const struct value *value = &values[i];
        if ((set >> i & 1) == 0 || value->type == VALUE_NULL)
            continue;
        switch (columns[i].type) {
        case TYPE_INTEGER:
            json_integer(json, name, value->integer);
            break;
        case TYPE_BOOL:
            json_bool(json, name, value->integer != 0);
            break;
        case TYPE_REAL:
            put_real(json, name, value->real);
            break;
        case TYPE_TEXT:
            json_string(json, name, value->bytes);
            break;
        case TYPE_BYTES:
            put_bytes(json, name, value);
        }
    }
}

int columns_pick(const struct value values[], uint64_t set, struct value picked[])
{
    int count = 0;

    for (int i = 0; set >> i != 0; i++)
        if ((set >> i & 1) != 0)
            picked[count++] = values[i];
    return count;
}

static struct value or_null(bool there, struct value value)
{
    return there ? value : SQL_NULL;
}

static struct value text_or_null(const char *text)
{
    return or_null(text[0] != '\0', SQL_TEXT(text));
}

static struct value id_or_null(const struct player *player)
{
    return player != NULL ? SQL_INTEGER(player->id) : SQL_NULL;
}

static void write_kicked(const struct table *table, enum guest_ids guests,
                         char text[KICKED_TEXT_MAX])
{
    size_t length = 0;

    text[0] = '\0';
    for (int i = 0; i < table->kicked_count; i++)
        if (guests == GUEST_IDS_STAY || !table->kicked[i].is_guest)
            length += (size_t)snprintf(text + length, KICKED_TEXT_MAX - length, "%" PRId64 " ",
                                       table->kicked[i].player);
}

void record_match(struct match_record *record, const struct table *table, uint64_t set,
                  enum guest_ids guests)
{
    const struct match *match = &table->match;
    const struct clock *clock = &match->clock;
    const struct seat *white = &table->seats[WHITE], *black = &table->seats[BLACK];
    bool timed = clock->base_ms > 0;

    record->variant[0] = record->start[0] = record->position[0] = '\0';
    if ((set & COLUMN(COLUMN_VARIANT)) != 0)
        match->game->variant_name(&match->start, record->variant);
    if ((set & COLUMN(COLUMN_START)) != 0)
        match->game->format(&match->start, record->start);
    if ((set & COLUMN(COLUMN_POSITION)) != 0)
        match->game->format(&match->position, record->position);
    write_kicked(table, guests, record->kicked);
    const struct value values[MATCH_COLUMNS] = {
        [COLUMN_NUMBER] = SQL_INTEGER(table->number),
        [COLUMN_ID] = SQL_TEXT(table->id),
        [COLUMN_ONCE] = text_or_null(table->once),
        [COLUMN_CODE] = text_or_null(table->code),
        [COLUMN_PRIVATE] = SQL_INTEGER(table->is_private),
        [COLUMN_RATED] = SQL_INTEGER(!table->casual),
        [COLUMN_GAME] = SQL_TEXT(match->game->name),
        [COLUMN_VARIANT] = SQL_TEXT(record->variant),
        [COLUMN_START] = SQL_TEXT(record->start),
        [COLUMN_OPENED_S] = SQL_INTEGER(table->date),
        [COLUMN_BASE_MS] = or_null(timed, SQL_INTEGER(clock->base_ms)),
        [COLUMN_INCREMENT_MS] = or_null(timed, SQL_INTEGER(clock->increment_ms)),
        [COLUMN_CREATOR] = id_or_null(match->status != MATCH_OVER ? table->creator : NULL),
        [COLUMN_WHITE] = id_or_null(white->player),
        [COLUMN_BLACK] = id_or_null(black->player),
        [COLUMN_WHITE_JOINED] = SQL_INTEGER(white->joined),
        [COLUMN_BLACK_JOINED] = SQL_INTEGER(black->joined),
        [COLUMN_KICKED] = text_or_null(record->kicked),
        [COLUMN_WAS_OPEN] = SQL_INTEGER(white->was_open + 2 * black->was_open),
        [COLUMN_STATUS] = SQL_TEXT(match_status_text(match->status)),
        [COLUMN_STARTED] = SQL_INTEGER(table->started),
        [COLUMN_RESULT] = SQL_TEXT(result_text(match->outcome.result)),
        [COLUMN_REASON] =
            or_null(match->status == MATCH_OVER, SQL_TEXT(reason_text(match->outcome.reason))),
        [COLUMN_ENDED] = or_null(table->ended != 0, SQL_INTEGER(table->ended)),
        [COLUMN_WHITE_RATING] =
            or_null(table->rating_after[WHITE] > 0, SQL_REAL(table->rating_after[WHITE])),
        [COLUMN_BLACK_RATING] =
            or_null(table->rating_after[BLACK] > 0, SQL_REAL(table->rating_after[BLACK])),
        [COLUMN_POSITION] = SQL_TEXT(record->position),
        [COLUMN_PLIES] = SQL_INTEGER(match->ply_count),
        [COLUMN_CHANGED_S] = SQL_INTEGER(table->changed_s),
        [COLUMN_OFFERS] = SQL_INTEGER(match_offer_bits(match)),
        /* of the side whose time runs as it was when its turn began */
        [COLUMN_WHITE_MS] = or_null(timed, SQL_INTEGER(clock->left_ms[WHITE])),
        [COLUMN_BLACK_MS] = or_null(timed, SQL_INTEGER(clock->left_ms[BLACK])),
    };
    memcpy(record->values, values, sizeof values);
}

void record_player(struct value values[PLAYER_COLUMNS], int64_t id, const struct identity *identity)
{
    values[PLAYER_COLUMN_ID] = SQL_INTEGER(id);
    values[PLAYER_COLUMN_NAME] = SQL_TEXT(identity->name);
    values[PLAYER_COLUMN_KIND] = SQL_TEXT(player_kind_text(identity->kind));
    values[PLAYER_COLUMN_BOT] = SQL_INTEGER(identity->bot);
    values[PLAYER_COLUMN_TOKEN_HASH] =
        or_null(identity->kind == PLAYER_NAMED,
                SQL_BLOB(identity->token_hash, sizeof identity->token_hash));
    values[PLAYER_COLUMN_SEEN_S] = SQL_INTEGER(identity->seen_s);
    values[PLAYER_COLUMN_DISPLAY] = text_or_null(identity->display);
    values[PLAYER_COLUMN_LOOKS] = text_or_null(identity->looks);
}

void record_rating(struct value values[RATING_COLUMNS], int64_t player, const char *game,
                   const char *variant, const struct glicko *now, int matches)
{
    values[RATING_COLUMN_PLAYER] = SQL_INTEGER(player);
    values[RATING_COLUMN_GAME] = SQL_TEXT(game);
    values[RATING_COLUMN_VARIANT] = SQL_TEXT(variant);
    values[RATING_COLUMN_RATING] = SQL_REAL(now->rating);
    values[RATING_COLUMN_DEVIATION] = SQL_REAL(now->deviation);
    values[RATING_COLUMN_VOLATILITY] = SQL_REAL(now->volatility);
    values[RATING_COLUMN_MATCHES] = SQL_INTEGER(matches);
}

void record_puzzle(struct value values[PUZZLE_COLUMNS], const struct rated_puzzle *puzzle,
                   const struct glicko *now, int attempts)
{
    values[PUZZLE_COLUMN_GAME] = SQL_TEXT(puzzle->game->name);
    values[PUZZLE_COLUMN_KEY] = SQL_INTEGER(puzzle->key);
    values[PUZZLE_COLUMN_RATING] = SQL_REAL(now->rating);
    values[PUZZLE_COLUMN_DEVIATION] = SQL_REAL(now->deviation);
    values[PUZZLE_COLUMN_VOLATILITY] = SQL_REAL(now->volatility);
    values[PUZZLE_COLUMN_ATTEMPTS] = SQL_INTEGER(attempts);
}

void record_attempt(struct value values[ATTEMPT_COLUMNS], int64_t player,
                    const struct rated_puzzle *puzzle)
{
    values[ATTEMPT_COLUMN_PLAYER] = SQL_INTEGER(player);
    values[ATTEMPT_COLUMN_GAME] = SQL_TEXT(puzzle->game->name);
    values[ATTEMPT_COLUMN_KEY] = SQL_INTEGER(puzzle->key);
}

enum player_kind record_kind(const char *text)
{
    for (int kind = PLAYER_GUEST; kind <= PLAYER_HOUSE; kind++)
        if (strcmp(text, player_kind_text(kind)) == 0)
            return kind;
    return PLAYER_GUEST;
}

bool record_is_date(int64_t date_s)
{
    return date_s >= 0 && date_s <= INT64_C(253402300799); /* 9999-12-31T23:59:59Z */
}

void record_word(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text);
    for (char *at = to; *at != '\0'; at++)
        if (*at <= ' ' || *at > '~' || *at == '"' || *at == '\\')
            *at = '?';
}

bool record_counts_on(int64_t number, struct cause *cause)
{
    return number <= INT64_MAX / 2 ||
           cause_set(cause, "number %" PRId64 ": too high to continue from", number);
}

void record_display(struct identity *identity, const char *display, const char *looks)
{
    char read[DISPLAY_TEXT_MAX];
    struct cause cause;

    identity->display[0] = identity->looks[0] = '\0';
    if (!display_read(display, read, &cause) || strlen(looks) >= sizeof identity->looks)
        return;
    memcpy(identity->display, read, sizeof read);
    snprintf(identity->looks, sizeof identity->looks, "%s", looks);
}

bool record_read_player(const struct value values[PLAYER_COLUMNS], int64_t *id,
                        struct identity *identity, struct cause *cause)
{
    const struct value *hash = &values[PLAYER_COLUMN_TOKEN_HASH];
    int64_t seen_s = value_integer(&values[PLAYER_COLUMN_SEEN_S]);

    *id = value_integer(&values[PLAYER_COLUMN_ID]);
    *identity = (struct identity){.kind = record_kind(value_text(&values[PLAYER_COLUMN_KIND])),
                                  .bot = value_integer(&values[PLAYER_COLUMN_BOT]) != 0,
                                  .seen_s = seen_s};
    record_word(identity->name, sizeof identity->name, value_text(&values[PLAYER_COLUMN_NAME]));
    if (hash->type == VALUE_BLOB && hash->length == sizeof identity->token_hash)
        memcpy(identity->token_hash, hash->bytes, hash->length);
    record_display(identity, value_text(&values[PLAYER_COLUMN_DISPLAY]),
                   value_text(&values[PLAYER_COLUMN_LOOKS]));
    return record_counts_on(*id, cause) &&
           (record_is_date(seen_s) ||
            cause_set(cause, "%.32s: invalid last-seen time", identity->name));
}

double record_rating_after(double rating)
{
    return rating > 0 ? glicko_sane((struct glicko){.rating = rating}).rating : 0;
}

void record_read_table(const struct value values[MATCH_COLUMNS], struct table *stored)
{
    const char *kicked = value_text(&values[COLUMN_KICKED]);
    int64_t was_open = value_integer(&values[COLUMN_WAS_OPEN]);
    int taken;

    stored->number = value_integer(&values[COLUMN_NUMBER]);
    record_word(stored->id, sizeof stored->id, value_text(&values[COLUMN_ID]));
    snprintf(stored->once, sizeof stored->once, "%s", value_text(&values[COLUMN_ONCE]));
    snprintf(stored->code, sizeof stored->code, "%s", value_text(&values[COLUMN_CODE]));
    stored->is_private = value_integer(&values[COLUMN_PRIVATE]) != 0;
    stored->casual = value_integer(&values[COLUMN_RATED]) == 0;
    stored->date = value_integer(&values[COLUMN_OPENED_S]);
    stored->seats[WHITE].joined = value_integer(&values[COLUMN_WHITE_JOINED]) != 0;
    stored->seats[BLACK].joined = value_integer(&values[COLUMN_BLACK_JOINED]) != 0;
    stored->seats[WHITE].was_open = was_open & 1;
    stored->seats[BLACK].was_open = was_open >> 1 & 1;
    while (*kicked != '\0' && stored->kicked_count < KICKED_MAX &&
           sscanf(kicked, "%" SCNd64 "%n", &stored->kicked[stored->kicked_count].player, &taken) ==
               1) {
        stored->kicked_count++;
        kicked += taken;
    }
    stored->started = value_integer(&values[COLUMN_STARTED]) != 0;
    stored->changed_s = value_integer(&values[COLUMN_CHANGED_S]);
    stored->ended = value_integer(&values[COLUMN_ENDED]);
    stored->rating_after[WHITE] = record_rating_after(value_real(&values[COLUMN_WHITE_RATING]));
    stored->rating_after[BLACK] = record_rating_after(value_real(&values[COLUMN_BLACK_RATING]));
}

bool record_begin(const struct value values[MATCH_COLUMNS], bool started, struct match *match,
                  struct cause *cause)
{
    const char *name = value_text(&values[COLUMN_GAME]);
    const struct game *game = game_find(name, strlen(name));
    struct position start;

    if (game == NULL)
        return cause_set(cause, "unknown game '%.32s'", name);
    if (!game->parse(value_text(&values[COLUMN_VARIANT]), value_text(&values[COLUMN_START]), &start,
                     cause))
        return false;
    match_init(match, game, &start);
    if (started)
        match_start(match, 0);
    return true;
}

bool record_end(const struct value values[MATCH_COLUMNS], struct match *match, struct cause *cause)
{
    const char *status = value_text(&values[COLUMN_STATUS]);
    const char *result = value_text(&values[COLUMN_RESULT]);
    const char *reason = value_text(&values[COLUMN_REASON]);
    bool ended = match->status == MATCH_OVER;
    struct outcome outcome;

    if (strcmp(status, "over") != 0)
        return ended ? cause_set(cause, "over by the rules, but not in the store")
                     : strcmp(status, match_status_text(match->status)) == 0 ||
                           cause_set(cause, "the moves make it %s, but it is stored as %.20s",
                                     match_status_text(match->status), status);
    if (!pgn_outcome(result, reason, &outcome))
        return cause_set(cause, "invalid result '%.10s' by '%.32s'", result, reason);
    if (ended &&
        (outcome.result != match->outcome.result || outcome.reason != match->outcome.reason))
        return cause_set(cause, "result is %s by %s, but the rules say %s by %s", result, reason,
                         result_text(match->outcome.result), reason_text(match->outcome.reason));
    if (!ended && outcome.reason < REASON_RESIGN)
        return cause_set(cause, "result is by %s, but the rules do not end it there", reason);
    if (!ended)
        match_end(match, outcome, 0);
    return true;
}

bool record_end_anyhow(const struct value values[MATCH_COLUMNS], bool by_players,
                       struct match *match, struct cause *cause)
{
    const char *result = value_text(&values[COLUMN_RESULT]);
    const char *reason = value_text(&values[COLUMN_REASON]);
    struct outcome outcome;

    if (match->status == MATCH_OVER || strcmp(value_text(&values[COLUMN_STATUS]), "over") != 0)
        return true;
    if (!pgn_outcome(result, reason, &outcome) || (by_players && outcome.reason < REASON_RESIGN))
        return cause_set(cause, "its moves do not lead to the result %.10s by %.32s", result,
                         reason);
    match_end(match, outcome, 0);
    return true;
}

static bool clock_is_sound(const struct clock *clock)
{
    const int64_t left_max_ms = TIME_BASE_MAX_MS + (PLIES_MAX + 1) * (int64_t)TIME_INCREMENT_MAX_MS;
    const struct {
        int64_t ms, max_ms;
    } times[] = {{clock->base_ms, TIME_BASE_MAX_MS},
                 {clock->increment_ms, TIME_INCREMENT_MAX_MS},
                 {clock->left_ms[WHITE], left_max_ms},
                 {clock->left_ms[BLACK], left_max_ms}};

    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        if (times[i].ms < 0 || times[i].ms > times[i].max_ms)
            return false;
    return true;
}

bool record_is_sound(const struct table *stored, const bool there[2], struct cause *cause)
{
    if (!clock_is_sound(&stored->match.clock))
        return cause_set(cause, "invalid clock: less than no time, or more than the limit");
    for (int color = WHITE; color <= BLACK; color++) {
        if (stored->seats[color].joined && !there[color])
            return cause_set(cause, "the player of %s is missing", color_name(color));
        if (stored->started && !stored->seats[color].joined)
            return cause_set(cause, "started with an empty seat");
    }
    if (!record_is_date(stored->date) || !record_is_date(stored->changed_s))
        return cause_set(cause, "invalid date");
    return record_counts_on(stored->number, cause) && record_counts_on(stored->ended, cause);
}

/* Whether its numbers are such as `tournament new` takes. */
static bool plan_is_sound(const struct tournament_plan *plan, struct cause *cause)
{
    bool robin = plan->format == FORMAT_ROUND_ROBIN;

    if (!clock_is_sound(&plan->clock) || plan->clock.base_ms == 0)
        return cause_set(cause, "invalid clock: less than no time, or more than the limit");
    return (plan->rounds >= 0 && plan->rounds <= ROUNDS_MAX && plan->cycles >= robin &&
            plan->cycles <= CYCLES_MAX && plan->minutes >= 0 &&
            plan->minutes <= TOURNAMENT_MINUTES_MAX) ||
           cause_set(cause, "invalid rounds, cycles or minutes");
}

/* Whether the entrants are as many players. */
static bool entrants_are_sound(const struct tournament *tournament, struct cause *cause)
{
    int count = tournament->contest.entrant_count;

    if (count > ENTRANTS_MAX)
        return cause_set(cause, "%d players: too many", count);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (tournament->players[i] == tournament->players[j])
                return cause_set(cause, "%s takes part twice", tournament->players[i]->name);
    return true;
}

bool record_tournament_is_sound(const struct tournament *tournament, struct cause *cause)
{
    const struct tournament_plan *plan = &tournament->plan;
    const struct contest *contest = &tournament->contest;
    int before = 0;

    if (!record_counts_on(tournament->number, cause) || !plan_is_sound(plan, cause) ||
        !entrants_are_sound(tournament, cause))
        return false;
    if (!record_is_date(plan->created_s) || !record_is_date(plan->starts_s) ||
        !record_is_date(tournament->started_s) || !record_is_date(tournament->ended_s))
        return cause_set(cause, "invalid date");
    if (tournament->status == TOURNAMENT_OPEN && contest->pairings.count > 0)
        return cause_set(cause, "it has pairings, but has not started");
    for (int i = 0; i < contest->pairings.count; i++) {
        if (!contest_takes(contest, before, &contest->pairings.rows[i]))
            return cause_set(cause, "pairing %d is invalid", i + 1);
        before = contest->pairings.rows[i].round;
    }
    return true;
}

void record_log_broken(int64_t number, const struct cause *cause)
{
    log_line(LOG_ERROR, "event=broken-match number=%" PRId64 " error=%s", number,
             log_quote(cause->text).text);
}

/* Writes the player's judgement of a move. */
static void write_note(const struct match *match, int ply, char text[PGN_SAID_MAX])
{
    const struct ply_note *note = &match->plies[ply].note;
    enum color color = (match->start.side + ply) % 2 == BLACK ? BLACK : WHITE;
    char pv[PV_TEXT_MAX];
    int eval = note->eval;

    pgn_said(text, eval != EVAL_NONE ? &eval : NULL, color, pv_text(match, note, ' ', pv));
}

char *table_pgn(const struct table *stored)
{
    const struct match *match = &stored->match;
    struct move_text *moves = xcalloc((size_t)match->ply_count, sizeof *moves);
    int64_t *times_ms = xcalloc((size_t)match->ply_count, sizeof *times_ms);
    const char **notes = xcalloc((size_t)match->ply_count, sizeof *notes);
    char(*said)[PGN_SAID_MAX] = xcalloc((size_t)match->ply_count, sizeof *said);
    const struct wire_date date = wire_date_text(stored->date);

    for (int i = 0; i < match->ply_count; i++) {
        move_format(&match->start, match->plies[i].move, moves[i].text);
        times_ms[i] = match->plies[i].took_ms;
        write_note(match, i, said[i]);
        notes[i] = said[i];
    }
    const struct pgn_match pgn = {.game = match->game,
                                  .start = match->start,
                                  .match = stored->id,
                                  .date = date.text,
                                  .white = seat_name(&stored->seats[WHITE]),
                                  .black = seat_name(&stored->seats[BLACK]),
                                  .rating_after = {(int)lround(stored->rating_after[WHITE]),
                                                   (int)lround(stored->rating_after[BLACK])},
                                  .base_ms = match->clock.base_ms,
                                  .increment_ms = match->clock.increment_ms,
                                  .casual = stored->casual,
                                  .plies = match->ply_count,
                                  .moves = moves,
                                  .notes = notes,
                                  .times_ms = times_ms,
                                  .outcome = match->outcome};
    char *text = pgn_write(&pgn, true);
    free(moves);
    free(times_ms);
    free(notes);
    free(said);
    return text;
}
