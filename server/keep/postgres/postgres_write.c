/*
 * The first connection: keeps batches, one at a time. First their units as the values of a call of
 * keep(), and what other servers are told of them; then the calls.
 *
 * A call of keep() moves this server's row on from one number to the next, in the transaction that
 * writes the batch. So after any trouble the row tells what has become of the last call, and the
 * call can be sent again without taking effect twice. A call is never cancelled.
 *
 * What a row says after a connection came back may be a commit that no standby has yet: visible,
 * but not safe. So is a commit whose wait for a standby somebody has cancelled. So one more commit
 * comes first, one that nobody cancels, and only then anybody is told.
 */
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_text.h"
#include "common/move.h"
#include "postgres.h"
#include "server/base/log.h"

/* In the order of the parameters of keep(). */
enum {
    VALUE_NODE,
    VALUE_EPOCH,
    VALUE_NUMBER,
    VALUE_MATCHES, /* arrays, an element for each unit that is a move and nothing else */
    VALUE_VERSIONS,
    VALUE_PLIES,
    VALUE_MOVES,
    VALUE_TOOK,
    VALUE_WHITE,
    VALUE_BLACK,
    VALUE_OFFERS,
    VALUE_EVALS, /* NULL: none */
    VALUE_PVS,
    VALUE_COLD,  /* a JSON array, an object for each other unit */
    VALUE_UNITS, /* arrays, an element for each match that changes: its unit, its number, and the */
    VALUE_TOLD,  /* line that others are told */
    VALUE_NEWS,
    VALUE_STALE
};

enum {
    CONFLICTS_MAX = 100, /* in a row, before a call counts as refused */
    STALLED_MS = 500,    /* since an answer is awaited: nobody is charged for more */
    LIFE_MS = 400,       /* between two signs of life */
    DAY_MS = 86400000,
    ABSENT_MS = 30000, /* after which somebody may have lost a tournament's match by being away */
    NEWS_MAX = 489     /* bytes of a line that others are told: keep() sends 16 at once */
};

static void call_begin(struct call *call, const struct postgres *postgres, int64_t number)
{
    for (int i = 0; i < CALL_VALUES; i++)
        call->values[i].length = 0;
    buffer_printf(&call->values[VALUE_NODE], "%d", postgres->nodes.own);
    buffer_printf(&call->values[VALUE_EPOCH], "%" PRId64, postgres->epoch);
    buffer_printf(&call->values[VALUE_NUMBER], "%" PRId64, number);
    for (int i = VALUE_MATCHES; i <= VALUE_NEWS; i++)
        if (i != VALUE_COLD)
            buffer_puts(&call->values[i], "{");
    json_open(&call->values[VALUE_COLD], NULL, '[');
    buffer_puts(&call->values[VALUE_STALE], "{}");
}

static void call_end(struct call *call)
{
    for (int i = VALUE_MATCHES; i <= VALUE_NEWS; i++)
        if (i != VALUE_COLD)
            buffer_puts(&call->values[i], "}");
    json_close(&call->values[VALUE_COLD], ']');
    for (int i = 0; i < CALL_VALUES; i++)
        buffer_add(&call->values[i], "", 1); /* the final NUL */
}

void call_release(struct call *call)
{
    for (int i = 0; i < CALL_VALUES; i++)
        buffer_release(&call->values[i]);
    buffer_release(&call->line);
}

/* Adds an element to an array. */
static void add_integer(struct call *call, int value, int64_t number)
{
    struct buffer *array = &call->values[value];

    buffer_puts(array, array->length > 1 ? "," : "");
    buffer_integer(array, number);
}

/* Adds a text that needs no escapes to an array; NULL is null. */
static void add_text(struct call *call, int value, const char *text)
{
    struct buffer *array = &call->values[value];

    const char *quote = text != NULL ? "\"" : "";

    buffer_puts(array, array->length > 1 ? "," : "");
    buffer_puts(array, quote);
    buffer_puts(array, text != NULL ? text : "NULL");
    buffer_puts(array, quote);
}

/* What the entry of a draft is: a letter as in struct entry of postgres_row.c. */
static char entry_kind(const struct table_draft *draft)
{
    const struct match *next = &draft->next->match;
    const struct match *before = draft->table != NULL ? &draft->table->match : NULL;
    int plies = before != NULL ? before->ply_count : 0;

    if (next->ply_count > plies)
        return 'm';
    if (next->ply_count < plies)
        return 'b';
    return before == NULL || next->turn_ms != before->turn_ms ||
                   next->clock.since_ms != before->clock.since_ms
               ? 's'
               : 'o';
}

/* The time that is left; -1: there is no clock. */
static int64_t entry_left_ms(const struct match *match, enum color color)
{
    return match->clock.base_ms > 0 ? match->clock.left_ms[color] : -1;
}

/* Writes the last move of a match that has one. */
static void entry_last_move(const struct match *match, char text[MOVE_TEXT_MAX])
{
    move_format(&match->start, match->plies[match->ply_count - 1].move, text);
}

/* A unit that only plays a move, after which the match goes on, needs no JSON. */
static bool is_move(const struct unit *unit)
{
    const struct table_draft *draft = &unit->tables[0];

    return unit->table_count == 1 && unit->player == NULL && unit->rating_count == 0 &&
           draft->table != NULL && draft->table->match.status == MATCH_PLAYING &&
           draft->next->match.status == MATCH_PLAYING && entry_kind(draft) == 'm';
}

/* Adds a word and numbers, each after a space. */
static void put_numbers(struct buffer *line, const char *word, const int64_t numbers[], int count)
{
    buffer_puts(line, word);
    for (int i = 0; i < count; i++) {
        buffer_puts(line, " ");
        buffer_integer(line, numbers[i]);
    }
}

static void put_word(struct buffer *line, const char *word)
{
    buffer_puts(line, " ");
    buffer_puts(line, word);
}

/* Adds the last move as the log has it. */
static void put_move(struct buffer *line, const struct match *match, const char *move)
{
    const struct ply *ply = &match->plies[match->ply_count - 1];
    const int64_t numbers[] = {match->ply_count, ply->took_ms, entry_left_ms(match, WHITE),
                               entry_left_ms(match, BLACK), match_offer_bits(match)};
    char pv[PV_TEXT_MAX];

    put_numbers(line, " m", numbers, 5);
    put_word(line, move);
    if (ply->note.eval != EVAL_NONE)
        buffer_printf(line, " e%d", ply->note.eval);
    if (ply->note.pv_count > 0)
        buffer_printf(line, " p%s", pv_text(match, &ply->note, ',', pv));
}

/* Adds a rating; what is real as the bits of it, which is exact, and needs no printf() and
 * strtod(). */
static void put_told_rating(struct buffer *line, const struct glicko *now, int matches)
{
    int64_t numbers[1 + 3] = {matches};

    memcpy(numbers + 1, now, sizeof *now);
    put_numbers(line, "", numbers, 4);
}

/* Whether a unit only plays a move that ends a match. */
static bool is_last_move(const struct unit *unit)
{
    const struct table_draft *draft = &unit->tables[0];

    return unit->table_count == 1 && draft->table != NULL &&
           draft->table->match.status == MATCH_PLAYING && draft->next->match.status == MATCH_OVER &&
           entry_kind(draft) == 'm';
}

/* Adds how a match has ended by a move, what its players are rated now, and the move. */
static void put_end(struct buffer *line, const struct unit *unit)
{
    const struct match *match = &unit->tables[0].next->match;
    char move[MOVE_TEXT_MAX];

    buffer_puts(line, " x");
    put_word(line, result_text(match->outcome.result));
    put_word(line, reason_text(match->outcome.reason));
    put_numbers(line, "", (const int64_t[]){unit->rating_count}, 1);
    for (int i = 0; i < unit->rating_count; i++)
        put_told_rating(line, &unit->ratings[i].now, unit->ratings[i].matches);
    entry_last_move(match, move);
    put_move(line, match, move);
}

/* Returns the colour of a player who takes the last free seat, so that the match begins; -1: that
 * is not so, or it cannot be told who they are: they have a display name, which a line of news does
 * not take, or are changing otherwise meanwhile. */
static int joiner_color(const struct unit *unit)
{
    const struct table *before = unit->tables[0].table, *next = unit->tables[0].next;

    if (unit->table_count != 1 || before == NULL || before->match.status != MATCH_OPEN ||
        next->match.status != MATCH_PLAYING)
        return -1;
    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *free = &before->seats[color], *other = &before->seats[!color];
        const struct player *player = next->seats[color].player;
        if (!free->joined && other->joined && next->seats[!color].player == other->player &&
            player != other->player && player_display(player) == NULL && player->lock.owner == NULL)
            return color;
    }
    return -1;
}

/* Adds who has taken the last seat, in the words of player_row, with their rating before. */
static void put_start(struct buffer *line, const struct postgres *postgres,
                      const struct table *next, enum color color)
{
    const struct seat *seat = &next->seats[color];
    const struct player *player = seat->player;
    const struct match *match = &next->match;
    size_t length = line->length;
    char variant[VARIANT_NAME_MAX];

    match->game->variant_name(&match->start, variant);
    const struct rating *rating = rating_find(&player->ratings, match->game, variant);
    put_numbers(line, " j", (const int64_t[]){color, seat->was_open, rating != NULL}, 3);
    if (rating != NULL)
        put_told_rating(line, &rating->now, rating->matches);
    put_numbers(line, "", &player->id, 1);
    put_word(line, player->name);
    put_word(line, player_kind_text(player->kind));
    put_word(line, player->bot ? "t" : "f");
    put_numbers(line, "", (const int64_t[]){player->seen_s, player->login}, 2);
    put_numbers(line, "", (const int64_t[]){postgres->nodes.own}, 1);
    buffer_printf(line, ":%d", player->window_count);
    for (int i = 0; player->elsewhere != NULL && i < player->elsewhere->count; i++)
        buffer_printf(line, ",%d:%d", player->elsewhere->list[i].node,
                      player->elsewhere->list[i].windows);
    buffer_puts(line, " f 0");
    if (line->length > NEWS_MAX) /* they are at very many servers: it is read */
        line->length = length;
}

/* Adds what other servers are told of a match: the beginning of the line, "t NUMBER VERSION", has
 * them read it. What is put behind it tells the whole change, so that they need not: most matches
 * begin and end so, and all moves are. */
static struct buffer *begin_news(struct call *call, const struct table *next)
{
    call->line.length = 0;
    put_numbers(&call->line, "t", (const int64_t[]){next->number, next->version}, 2);
    return &call->line;
}

static void end_news(struct call *call, int64_t unit, const struct table *next)
{
    struct buffer *line = &call->line;

    if (line->length > NEWS_MAX)
        line->length = NEWS_MAX; /* the end of what somebody thought is lost */
    buffer_add(line, "", 1);
    add_integer(call, VALUE_UNITS, unit);
    add_integer(call, VALUE_TOLD, next->number);
    add_text(call, VALUE_NEWS, line->bytes);
}

static void add_move(struct call *call, const struct table *next)
{
    const struct match *match = &next->match;
    const struct ply *ply = &match->plies[match->ply_count - 1];
    char move[MOVE_TEXT_MAX], pv[PV_TEXT_MAX];

    entry_last_move(match, move);
    put_move(begin_news(call, next), match, move);
    end_news(call, next->number, next);
    add_integer(call, VALUE_MATCHES, next->number);
    add_integer(call, VALUE_VERSIONS, next->version);
    add_integer(call, VALUE_PLIES, match->ply_count);
    add_text(call, VALUE_MOVES, move);
    add_integer(call, VALUE_TOOK, ply->took_ms);
    add_integer(call, VALUE_WHITE, entry_left_ms(match, WHITE));
    add_integer(call, VALUE_BLACK, entry_left_ms(match, BLACK));
    add_integer(call, VALUE_OFFERS, match_offer_bits(match));
    if (ply->note.eval != EVAL_NONE)
        add_integer(call, VALUE_EVALS, ply->note.eval);
    else
        add_text(call, VALUE_EVALS, NULL);
    add_text(call, VALUE_PVS, ply->note.pv_count > 0 ? pv_text(match, &ply->note, ',', pv) : NULL);
}

void entry_put_json(struct buffer *json, const struct table *table, int version, char kind, int ply)
{
    const struct match *match = &table->match;
    const char kind_text[2] = {kind, '\0'};
    const struct ply *made = kind == 'm' ? &match->plies[ply - 1] : NULL;
    char move[MOVE_TEXT_MAX] = "", pv[PV_TEXT_MAX];

    if (made != NULL)
        move_format(&match->start, made->move, move);
    json_integer(json, "match", table->number);
    json_integer(json, "version", version);
    json_word(json, "kind", kind_text);
    json_integer(json, "ply", ply);
    json_word(json, "move", move);
    json_integer(json, "took_ms", made != NULL ? made->took_ms : 0);
    json_integer(json, "white_ms", entry_left_ms(match, WHITE));
    json_integer(json, "black_ms", entry_left_ms(match, BLACK));
    json_integer(json, "offers", ply == match->ply_count ? match_offer_bits(match) : 0);
    if (made != NULL && made->note.eval != EVAL_NONE)
        json_integer(json, "eval", made->note.eval);
    if (made != NULL && made->note.pv_count > 0)
        json_word(json, "pv", pv_text(match, &made->note, ',', pv));
}

static void put_entry(struct buffer *json, const struct table_draft *draft)
{
    const struct table *next = draft->next;

    json_open(json, NULL, '{');
    entry_put_json(json, next, next->version, entry_kind(draft), next->match.ply_count);
    json_close(json, '}');
}

/* Nothing is due before: moves do not change it. */
static int64_t due_ms(const struct table *table)
{
    const struct match *match = &table->match;
    const struct clock *clock = &match->clock;

    if (table->tournament != 0)
        return ABSENT_MS;
    if (clock->base_ms == 0 || match->status != MATCH_PLAYING)
        return DAY_MS;
    return clock->left_ms[WHITE] < clock->left_ms[BLACK] ? clock->left_ms[WHITE]
                                                         : clock->left_ms[BLACK];
}

static void put_match(struct buffer *json, const struct table_draft *draft, int node)
{
    uint64_t columns = MATCH_SHARED & ~COLUMN(COLUMN_ENDED); /* which the database counts */
    const struct table *next = draft->next;
    struct match_record record;

    json_open(json, NULL, '{');
    if (draft->table == NULL) {
        json_bool(json, "fresh", true);
        json_integer(json, "home", node);
    } else {
        columns &= ~MATCH_FIXED;
    }
    json_integer(json, "due_ms", due_ms(next));
    if (next->tournament != 0 && (draft->table == NULL || next->match.status == MATCH_OVER)) {
        json_integer(json, "tournament", next->tournament);
        json_integer(json, "pairing", next->pairing);
        json_integer(json, "round", next->round);
    }
    record_match(&record, draft->next, columns, GUEST_IDS_STAY);
    columns_put_json(json, match_columns, columns, record.values);
    json_close(json, '}');
}

/* `node` is this server: where they are here, or else the lowest of the others. A display name is
 * written only where it is new: another server may have given a newer one. */
static void put_player(struct buffer *json, const struct player *player,
                       const struct identity *identity, bool displays, int node)
{
    const struct places *elsewhere = player->elsewhere;
    bool gets_name = player->kind != identity->kind; /* and all windows its first token */
    struct value values[PLAYER_COLUMNS];
    const struct window *window;

    json_open(json, NULL, '{');
    record_player(values, player->id, identity);
    columns_put_json(json, player_columns, COLUMNS_ALL(PLAYER_COLUMN_DISPLAY), values);
    if (displays)
        json_string(json, "display", identity->display);
    if (displays || (gets_name && identity->kind == PLAYER_NAMED)) {
        char looks[LOOKS_TEXT_MAX];
        name_looks(identity->name, looks);
        json_string(json, "looks", displays ? identity->looks : looks);
    }
    json_integer(json, "login", player->login);
    if (player_is_connected(player) || elsewhere != NULL)
        json_integer(json, "node", player_is_connected(player) ? node : elsewhere->list[0].node);
    json_open(json, "windows", '[');
    TAILQ_FOREACH (window, &player->windows, link)
        json_integer(json, NULL, gets_name ? 1 : window->token);
    json_close(json, ']');
    json_close(json, '}');
}

/* Whether the database has no row of a player whom a match refers to; one who is at another server
 * may have got one meanwhile. */
static bool is_missing(const struct player *player, bool elsewhere)
{
    return player != NULL && !player->stored &&
           (!player_is_connected(player) && player->elsewhere != NULL) == elsewhere;
}

/* Finds the players of a unit that are missing, each once, but not the one whose identity it
 * changes. Returns how many. */
static int find_missing(const struct unit *unit, bool elsewhere,
                        const struct player *missing[UNIT_TABLES_MAX * PEOPLE])
{
    int count = 0;

    for (int i = 0; i < unit->table_count; i++) {
        const struct table *next = unit->tables[i].next;
        const struct player *const people[] = {next->seats[WHITE].player, next->seats[BLACK].player,
                                               next->creator};
        for (int j = 0; j < PEOPLE; j++) {
            bool known = people[j] == unit->player || !is_missing(people[j], elsewhere);
            for (int k = 0; k < count; k++)
                known = known || missing[k] == people[j];
            if (!known)
                missing[count++] = people[j];
        }
    }
    return count;
}

/* Adds the players of a unit that are missing, under this name, after one whose identity changes.
 * Without any, it is left out: most units have none, and the database reads it all. */
static void put_players(struct buffer *json, const char *name, const struct unit *unit,
                        const struct player *changes, bool elsewhere, int node)
{
    const struct player *missing[UNIT_TABLES_MAX * PEOPLE];
    int count = find_missing(unit, elsewhere, missing);

    if (changes == NULL && count == 0)
        return;
    json_open(json, name, '[');
    if (changes != NULL)
        put_player(json, changes, &unit->identity, unit->displays, node);
    for (int i = 0; i < count; i++) {
        struct identity identity = player_identity(missing[i]);
        put_player(json, missing[i], &identity, false, node);
    }
    json_close(json, ']');
}

/* Adds a hash, of a token or a code. */
static void put_hash(struct buffer *json, const char *name,
                     const unsigned char hash[TOKEN_HASH_BYTES])
{
    char hex[3 + 2 * TOKEN_HASH_BYTES] = "\\x";

    sodium_bin2hex(hex + 2, sizeof hex - 2, hash, TOKEN_HASH_BYTES);
    json_string(json, name, hex);
}

void token_put_json(struct buffer *json, const struct token *token)
{
    json_integer(json, "number", token->number);
    put_hash(json, "hash", token->hash);
    json_string(json, "label", token->label);
    json_integer(json, "since_s", token->since_s);
}

/* Adds the token that a unit gives, the last one of the player, or that it ends. */
static void put_token(struct buffer *json, const struct unit *unit)
{
    unsigned char hash[TOKEN_HASH_BYTES];

    json_open(json, "token", '{');
    json_integer(json, "player", unit->player->id);
    if (unit->revokes != 0)
        json_integer(json, "ends", unit->revokes);
    else
        token_put_json(json, &unit->tokens->list[unit->tokens->count - 1]);
    if (unit->device[0] != '\0') {
        token_hash(hash, unit->device);
        put_hash(json, "device", hash);
    }
    json_close(json, '}');
}

/* Adds a seek that ends in a match, unless no other server could pair it. */
static void put_seek(struct buffer *json, const struct table *next, const struct paired *paired,
                     enum color color, int node)
{
    bool own = paired->nodes[color] == 0;

    if (own && !paired->offered[color])
        return;
    json_open(json, NULL, '{');
    json_integer(json, "node", own ? node : paired->nodes[color]);
    json_integer(json, "number", paired->seeks[color]);
    json_integer(json, "match", next->number);
    json_bool(json, "own", own);
    json_close(json, '}');
}

static void put_rating(struct buffer *json, const struct rating_draft *rating)
{
    struct value values[RATING_COLUMNS];

    json_open(json, NULL, '{');
    record_rating(values, rating->player->id, rating->game->name, rating->variant, &rating->now,
                  rating->matches);
    columns_put_json(json, rating_columns, COLUMNS_ALL(RATING_COLUMNS), values);
    json_close(json, '}');
}

static void put_attempt(struct buffer *json, const struct attempt_draft *attempt)
{
    struct value puzzle[PUZZLE_COLUMNS], values[ATTEMPT_COLUMNS];

    record_attempt(values, attempt->player->id, attempt->puzzle);
    json_open(json, "attempt", '{');
    columns_put_json(json, attempt_columns, COLUMNS_ALL(ATTEMPT_COLUMNS), values);
    json_close(json, '}');
    record_puzzle(puzzle, attempt->puzzle, &attempt->now, attempt->attempts);
    json_open(json, "puzzle", '{');
    columns_put_json(json, puzzle_columns, COLUMNS_ALL(PUZZLE_COLUMNS), puzzle);
    json_close(json, '}');
}

/* Adds a unit that is more than a move, under a number below 0. */
static void add_cold(struct call *call, const struct postgres *postgres, const struct unit *unit,
                     int index)
{
    struct buffer *json = &call->values[VALUE_COLD];
    int node = postgres->nodes.own;
    bool gives_name = unit->player != NULL && unit->player->kind != unit->identity.kind;

    for (int i = 0; i < unit->table_count; i++) {
        const struct table *next = unit->tables[i].next;
        struct buffer *line = begin_news(call, next);
        int joiner = joiner_color(unit);
        if (is_last_move(unit))
            put_end(line, unit);
        else if (joiner >= 0)
            put_start(line, postgres, next, joiner);
        end_news(call, -1 - index, next);
    }
    json_open(json, NULL, '{');
    json_integer(json, "unit", -1 - index);
    put_players(json, "players", unit, gives_name || unit->tokens == NULL ? unit->player : NULL,
                false, node);
    put_players(json, "strangers", unit, NULL, true, node);
    json_open(json, "entries", '[');
    for (int i = 0; i < unit->table_count; i++)
        put_entry(json, &unit->tables[i]);
    json_close(json, ']');
    json_open(json, "matches", '[');
    for (int i = 0; i < unit->table_count; i++)
        put_match(json, &unit->tables[i], node);
    json_close(json, ']');
    if (unit->tokens != NULL)
        put_token(json, unit);
    if (unit->change != NULL)
        change_put_json(json, unit->change);
    if (unit->rating_count > 0) {
        json_open(json, "ratings", '[');
        for (int i = 0; i < unit->rating_count; i++)
            put_rating(json, &unit->ratings[i]);
        json_close(json, ']');
    }
    if (unit->attempt.puzzle != NULL)
        put_attempt(json, &unit->attempt);
    if (unit->pairs) {
        json_open(json, "seeks", '[');
        for (int color = WHITE; color <= BLACK; color++)
            put_seek(json, unit->tables[0].next, &unit->paired, color, node);
        json_close(json, ']');
    }
    json_close(json, '}');
}

static void call_add(struct call *call, const struct postgres *postgres, struct unit *unit,
                     int index)
{
    for (int i = 0; i < unit->table_count; i++) {
        struct table_draft *draft = &unit->tables[i];
        draft->next->version = (draft->table != NULL ? draft->table->version : 0) + 1;
    }
    if (is_move(unit))
        add_move(call, unit->tables[0].next);
    else
        add_cold(call, postgres, unit, index);
}

/* Compares a number of an outcome with a unit: of moves it is the match, of others the index. */
static bool is_meant(const struct unit *unit, int index, int64_t number)
{
    return number < 0
               ? number == -1 - index
               : unit->table_count == 1 && unit->tables[0].next->number == number && is_move(unit);
}

/* Marks the units from `from` to before `to` that an outcome calls stale. */
static void call_mark_stale(const char *outcome, struct unit *from, const struct unit *to)
{
    for (const char *at = outcome; *at != '\0' && *at != '}'; at++) {
        char *end;
        int64_t number = strtoll(at + 1, &end, 10);
        int index = 0;
        for (struct unit *unit = from; unit != to; unit = TAILQ_NEXT(unit, link)) {
            if (!unit_writes(unit))
                continue;
            if (is_meant(unit, index++, number))
                unit->kept = KEPT_STALE;
        }
        if (end == at + 1)
            break;
        at = end - 1;
    }
}

int64_t postgres_current_ms(const struct postgres *postgres)
{
    return postgres->timeout_s * INT64_C(700);
}

static void begin_next(struct postgres *postgres);

static void set_writing(struct postgres *postgres, enum writing writing)
{
    static const char *const names[] = {"away", "join", "own", "idle", "call", "read"};

    if (writing == postgres->writing)
        return;
    log_line(LOG_DEBUG, "event=writing state=%s", names[writing]);
    postgres->writing = writing;
}

static void set_batch(struct postgres *postgres, enum batch_state state)
{
    static const char *const names[] = {"none", "waits", "whole", "split"};

    if (state == postgres->batch_state)
        return;
    log_line(LOG_DEBUG, "event=batch state=%s", names[state]);
    postgres->batch_state = state;
    if (state == BATCH_NONE)
        postgres->from = postgres->to = NULL;
}

static void set_call(struct postgres *postgres, enum call_state state)
{
    static const char *const names[] = {"done", "sent", "refused"};

    if (state == postgres->call_state)
        return;
    log_line(LOG_DEBUG, "event=call state=%s number=%" PRId64, names[state], postgres->number + 1);
    postgres->call_state = state;
}

static void set_barrier(struct postgres *postgres, enum barrier barrier)
{
    static const char *const names[] = {"none", "wanted", "sent"};

    if (barrier == postgres->barrier)
        return;
    log_line(LOG_DEBUG, "event=barrier state=%s", names[barrier]);
    postgres->barrier = barrier;
}

void postgres_set_health(struct postgres *postgres, enum health health)
{
    static const char *const names[] = {"good", "silent", "away"};

    if (health == postgres->health)
        return;
    log_line(LOG_DEBUG, "event=health state=%s", names[health]);
    postgres->health = health;
}

/* The units from `from` to `to` wait for the outcome of a call. */
static bool units_wait(const struct postgres *postgres)
{
    return postgres->batch_state >= BATCH_WHOLE;
}

bool postgres_is_stalled(const struct keeper *keeper)
{
    const struct postgres *postgres = (const struct postgres *)keeper;

    return postgres->health != HEALTH_GOOD ||
           (postgres->asked_ms != 0 && postgres_real_ms() - postgres->asked_ms > STALLED_MS);
}

/* From now on an answer is awaited, if none was yet. */
static void note_asked(struct postgres *postgres)
{
    if (postgres->asked_ms == 0)
        postgres->asked_ms = postgres_real_ms();
}

/* The answer is there: the database works. What it kept waiting is charged to nobody from when it
 * last answered a call: in between it was not asked, or had nothing to keep. Returns for how long
 * that was. */
static int64_t end_wait(struct postgres *postgres)
{
    bool stalled = postgres_is_stalled(&postgres->keeper) && postgres->heard_ms != 0;

    postgres_set_health(postgres, HEALTH_GOOD);
    postgres->asked_ms = 0;
    return stalled ? postgres_real_ms() - postgres->heard_ms : 0;
}

static void tell_works(const struct postgres *postgres, int64_t away_ms)
{
    postgres->keeper.calls->health(postgres->keeper.context, true, "", away_ms);
}

/* The database has answered a call, which shows the others that this server lives. */
static void note_answer(struct postgres *postgres)
{
    int64_t away_ms = end_wait(postgres), now_ms = postgres_real_ms();
    bool tells = away_ms > 0 || now_ms - postgres->heard_ms >= postgres_current_ms(postgres);

    postgres->heard_ms = now_ms;
    postgres->silences = 0;
    postgres->wakes = true;
    link_wake(postgres->writer, LIFE_MS);
    if (postgres->reading == READ_DOUBTS)
        postgres_set_reading(postgres, READ_FOLLOWS);
    if (tells)
        tell_works(postgres, away_ms);
}

static void send_call(struct postgres *postgres);

/* Builds the call for the units from `from` to before `to`, and sends it. */
static void call_units(struct postgres *postgres, enum batch_state state)
{
    int index = 0;

    set_batch(postgres, state);
    postgres->batch->is_sent = true;
    call_begin(&postgres->call, postgres, postgres->number + 1);
    for (struct unit *unit = postgres->from; unit != postgres->to; unit = TAILQ_NEXT(unit, link))
        if (unit_writes(unit))
            call_add(&postgres->call, postgres, unit, index++);
    call_end(&postgres->call);
    postgres->conflicts = 0;
    send_call(postgres);
}

/* Answers the batch: it is done. */
static void settle_batch(struct postgres *postgres)
{
    struct batch *batch = postgres->batch;
    struct unit *unit;

    set_batch(postgres, BATCH_NONE);
    set_writing(postgres, WRITE_IDLE);
    TAILQ_FOREACH (unit, &batch->units, link) {
        if (unit->kept == KEPT)
            unit_note_kept(unit);
        if (unit->kept != KEPT_FAILED)
            postgres_note_unit(postgres, unit);
    }
    postgres->keeper.calls->settled(postgres->keeper.context, batch);
    postgres_follow_batch(postgres);
}

/* The units before this one are done; NULL: all of the batch. */
static void begin_unit(struct postgres *postgres, struct unit *unit)
{
    while (unit != NULL && !unit_writes(unit))
        unit = TAILQ_NEXT(unit, link);
    if (unit != NULL) {
        postgres->from = unit;
        postgres->to = TAILQ_NEXT(unit, link);
        call_units(postgres, BATCH_SPLIT);
        return;
    }
    settle_batch(postgres);
    begin_next(postgres);
}

/* The units of the call are done: the next one, where each has a call of its own, or all. */
static void end_units(struct postgres *postgres)
{
    begin_unit(postgres, postgres->batch_state == BATCH_SPLIT ? postgres->to : NULL);
}

/* Fills the drafts of a stale unit from the row of one of its matches. */
static void fill_stale(struct postgres *postgres, const struct answer *answer, int row,
                       struct unit *unit)
{
    struct cause cause;

    for (int i = 0; i < unit->table_count; i++) {
        struct table_draft *draft = &unit->tables[i];
        if (draft->table == NULL || draft->table->number != row_number(answer, row))
            continue;
        struct table *fresh = row_to_draft(postgres, answer, row, draft->table, &cause);
        if (fresh == NULL)
            continue;
        if (draft->next->ended != draft->table->ended)
            lobby_return_end(postgres->lobby, draft->next->ended);
        table_drop(draft->next);
        draft->next = fresh;
    }
}

/* What was read with the matches is what counts. */
static void fill_ratings(struct unit *unit)
{
    for (int i = 0; i < unit->rating_count; i++) {
        struct rating_draft *draft = &unit->ratings[i];
        const struct rating *rating =
            rating_find(&draft->player->ratings, draft->game, draft->variant);
        draft->now = rating != NULL ? rating->now : glicko_start();
        draft->matches = rating != NULL ? rating->matches : 0;
    }
}

static void take_stale(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    if (answer->state != ANSWER_ROWS) {
        if (answer->state != ANSWER_LOST)
            link_break(postgres->writer, answer->message);
        return; /* they are read again when the connection is back */
    }
    int64_t away_ms = end_wait(postgres);
    if (away_ms > 0)
        tell_works(postgres, away_ms); /* before anybody moves in what is read */
    for (struct unit *unit = postgres->from; unit != postgres->to; unit = TAILQ_NEXT(unit, link)) {
        if (unit->kept != KEPT_STALE)
            continue;
        for (int row = 0; row < answer_rows(answer); row++)
            fill_stale(postgres, answer, row, unit);
        fill_ratings(unit);
    }
    end_units(postgres);
}

/* The numbers of the matches of the call's units, "{1,2}"; of stale units those that exist. */
static const char *unit_numbers(const struct postgres *postgres, bool stale, struct buffer *numbers)
{
    array_add(numbers, 0);
    for (const struct unit *unit = postgres->from; unit != postgres->to;
         unit = TAILQ_NEXT(unit, link))
        for (int i = 0; i < unit->table_count; i++)
            if (!stale || (unit->kept == KEPT_STALE && unit->tables[i].table != NULL))
                array_add(numbers, unit->tables[i].next->number);
    return array_end(numbers);
}

/* Reads what is kept of the matches of stale units. */
static void read_stale(struct postgres *postgres)
{
    struct buffer numbers = {0}, sql = {0};
    const char *const values[] = {unit_numbers(postgres, true, &numbers)};

    postgres_put_match_sql(&sql, "m.number = ANY ($1::bigint[])");
    set_writing(postgres, WRITE_READ);
    note_asked(postgres); /* nothing is kept until they are read */
    for (const struct unit *unit = postgres->from; unit != postgres->to;
         unit = TAILQ_NEXT(unit, link))
        if (unit->kept == KEPT_STALE && unit->change != NULL) {
            postgres_ask_tournaments(postgres, postgres->writer);
            break;
        }
    link_ask(postgres->writer, sql.bytes, values, 1, false, take_stale, postgres);
    buffer_release(&numbers);
    buffer_release(&sql);
}

/* No call runs: stale units that could not be read are, or what waits begins. */
static void read_further(struct postgres *postgres)
{
    if (units_wait(postgres)) {
        read_stale(postgres);
        return;
    }
    set_writing(postgres, WRITE_IDLE);
    begin_next(postgres);
}

/* The call was rolled back for a reason of its own. Units are kept one at a time then, so that one
 * that fails does not take others with it. */
static void take_refusal(struct postgres *postgres)
{
    set_call(postgres, CALL_DONE);
    if (!units_wait(postgres)) {
        link_break(postgres->writer, postgres->error);
    } else if (postgres->batch_state == BATCH_WHOLE) {
        begin_unit(postgres, TAILQ_FIRST(&postgres->batch->units));
    } else {
        postgres->from->kept = KEPT_FAILED;
        end_units(postgres);
    }
}

/* A call that broke may have ended before it told the others. */
static void tell_again(struct postgres *postgres)
{
    struct number_text node = number_text(postgres->nodes.own);
    struct buffer numbers = {0};
    const char *const values[] = {node.text, unit_numbers(postgres, false, &numbers)};

    link_ask(postgres->writer, "SELECT tell_again($1, $2)", values, 2, true, postgres_ignore, NULL);
    buffer_release(&numbers);
}

/* The call has run, and is safe; the outcome is that of the units, if any wait for one. */
static void finish_call(struct postgres *postgres, const char *outcome)
{
    struct tally *tally = postgres->keeper.tally;
    const struct unit *unit;
    int stale = 0;

    set_call(postgres, CALL_DONE);
    postgres->number++;
    if (units_wait(postgres))
        tally_commit(tally, true, 1000 * (postgres_real_ms() - postgres->asked_ms));
    note_answer(postgres);
    if (postgres->barrier == BARRIER_SENT) {
        set_barrier(postgres, BARRIER_NONE);
        postgres->on_barrier(postgres);
    }
    if (!units_wait(postgres)) {
        read_further(postgres);
        return;
    }
    call_mark_stale(outcome, postgres->from, postgres->to);
    for (unit = postgres->from; unit != postgres->to; unit = TAILQ_NEXT(unit, link)) {
        stale += unit->kept == KEPT_STALE;
        tally->kept_units += unit_writes(unit) && unit->kept == KEPT;
    }
    tally->stale_units += (uint64_t)stale;
    if (stale > 0)
        read_stale(postgres);
    else
        end_units(postgres);
}

static void ask_own_row(struct postgres *postgres);

/* Somebody has cancelled a wait for a standby since the call, or the look at the row, was sent. */
static bool is_in_doubt(struct postgres *postgres)
{
    if (link_doubts(postgres->writer) == postgres->doubts)
        return false;
    log_line(LOG_WARN,
             "event=in-doubt text=\"somebody has cancelled the wait for a standby: nothing "
             "is told before a standby has it\"");
    if (postgres->reading == READ_FOLLOWS)
        postgres_set_reading(postgres, READ_DOUBTS); /* it could be looked up */
    return true;
}

static void take_call(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    switch (answer->state) {
    case ANSWER_LOST:
        return; /* the row will tell */
    case ANSWER_CONFLICT:
        if (postgres->conflicts++ < CONFLICTS_MAX) {
            send_call(postgres);
            return;
        } /* fall through */
    case ANSWER_FAILED:
        snprintf(postgres->error, sizeof postgres->error, "%s", answer->message);
        set_call(postgres, CALL_REFUSED); /* unless it failed after its commit: the row tells */
        tally_commit(postgres->keeper.tally, false, 0);
        ask_own_row(postgres);
        return;
    case ANSWER_ROWS:
        break;
    }
    if (answer_rows(answer) != 1 || answer_is_null(answer, 0, 0) || is_in_doubt(postgres))
        ask_own_row(postgres); /* taken for dead, or kept before, or not safe yet */
    else
        finish_call(postgres, answer_text(answer, 0, 0));
}

static void send_call(struct postgres *postgres)
{
    const char *values[CALL_VALUES];

    for (int i = 0; i < CALL_VALUES; i++)
        values[i] = postgres->call.values[i].bytes;
    set_call(postgres, CALL_SENT);
    set_writing(postgres, WRITE_CALL);
    note_asked(postgres);
    postgres->doubts = link_doubts(postgres->writer);
    link_ask(postgres->writer,
             "CALL keep($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,"
             " $18)",
             values, CALL_VALUES, false, take_call, postgres);
}

/* Sends an empty call. */
static void call_empty(struct postgres *postgres)
{
    call_begin(&postgres->call, postgres, postgres->number + 1);
    call_end(&postgres->call);
    postgres->conflicts = 0;
    if (postgres->barrier == BARRIER_WANTED)
        set_barrier(postgres, BARRIER_SENT);
    send_call(postgres);
}

/* This server was taken for dead. All leave, then it forgets all matches, and all players who are
 * not here, and joins as a new one. */
static void leave_lobby(struct postgres *postgres)
{
    bool awaited = postgres->batch_state != BATCH_NONE;
    struct batch *batch = postgres->batch;
    struct lobby *lobby = postgres->lobby;
    struct table *table;
    struct unit *unit;

    postgres->epoch = 0;
    postgres_set_reading(postgres, READ_AWAY); /* what is let go now needs not be said */
    set_call(postgres, CALL_DONE);
    set_barrier(postgres, BARRIER_NONE);
    set_batch(postgres, BATCH_NONE);
    set_writing(postgres, WRITE_AWAY);
    postgres->keeper.calls->lost(postgres->keeper.context);
    if (awaited) {
        TAILQ_FOREACH (unit, &batch->units, link)
            unit->kept = KEPT_FAILED;
        postgres->keeper.calls->settled(postgres->keeper.context, batch);
    }
    while ((table = TAILQ_FIRST(&lobby->unfinished)) != NULL ||
           (table = TAILQ_FIRST(&lobby->finished)) != NULL)
        lobby_forget(lobby, table);
    players_forget_unused(postgres->players);
    link_break(postgres->reader, "taken for dead");
}

/* The row tells what has become of the last call. Reading it commits a sign of life in the row, and
 * the answer comes after that commit: what the row tells is safe by then. */
static void take_own_row(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    if (answer->state == ANSWER_LOST)
        return;
    if (answer->state != ANSWER_ROWS) {
        link_break(postgres->writer, answer->message);
        return;
    }
    if (is_in_doubt(postgres)) {
        ask_own_row(postgres);
        return;
    }
    int64_t number = answer_integer(answer, 0, 1);
    bool ran = number == postgres->number + 1;
    if (answer_integer(answer, 0, 0) != postgres->epoch ||
        (number != postgres->number && !(ran && postgres->call_state != CALL_DONE))) {
        leave_lobby(postgres);
        return;
    }
    if (ran) {
        tell_again(postgres);
        finish_call(postgres, answer_text(answer, 0, 2));
    } else if (postgres->call_state == CALL_REFUSED) {
        note_answer(postgres);
        take_refusal(postgres);
    } else if (postgres->call_state == CALL_SENT) {
        send_call(postgres);
    } else {
        note_answer(postgres);
        read_further(postgres);
    }
}

static void ask_own_row(struct postgres *postgres)
{
    struct number_text node = number_text(postgres->nodes.own);
    struct number_text epoch = number_text(postgres->epoch);
    const char *const values[] = {node.text, epoch.text};

    set_writing(postgres, WRITE_OWN);
    postgres->doubts = link_doubts(postgres->writer);
    link_ask(postgres->writer, "SELECT * FROM own($1, $2)", values, 2, false, take_own_row,
             postgres);
}

static void take_join(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    if (answer->state == ANSWER_LOST)
        return;
    set_writing(postgres, WRITE_AWAY);
    if (answer->state != ANSWER_ROWS) {
        link_break(postgres->writer, answer->message);
        return;
    }
    snprintf(postgres->taken_by, sizeof postgres->taken_by, "%s", answer_text(answer, 0, 1));
    postgres->epoch = answer_integer(answer, 0, 0);
    if (postgres->epoch == 0)
        return; /* somebody else has the number; tick() tries again */
    postgres->number = 0;
    set_writing(postgres, WRITE_IDLE);
    note_answer(postgres);
    begin_next(postgres);
}

void postgres_join(struct postgres *postgres)
{
    struct number_text node = number_text(postgres->nodes.own);
    struct number_text timeout = number_text(postgres->timeout_s);
    const char *const values[] = {node.text, postgres->place, timeout.text};

    if (postgres->epoch != 0 || postgres->writing != WRITE_AWAY || !link_is_up(postgres->writer))
        return;
    set_writing(postgres, WRITE_JOIN);
    link_ask(postgres->writer, "SELECT * FROM join_nodes($1, $2, $3)", values, 3, false, take_join,
             postgres);
}

/* Begins what waits, if nothing runs. */
static void begin_next(struct postgres *postgres)
{
    if (postgres->writing != WRITE_IDLE)
        return;
    if (postgres->barrier == BARRIER_WANTED)
        call_empty(postgres);
    else if (postgres->batch_state == BATCH_WAITS)
        call_units(postgres, BATCH_WHOLE);
}

void postgres_keep(struct keeper *keeper, struct batch *batch)
{
    struct postgres *postgres = (struct postgres *)keeper;
    const struct unit *unit;
    bool writes = false;

    TAILQ_FOREACH (unit, &batch->units, link)
        writes = writes || unit_writes(unit);
    postgres->batch = batch;
    postgres->from = TAILQ_FIRST(&batch->units);
    postgres->to = NULL;
    set_batch(postgres, BATCH_WAITS);
    if (!writes && postgres->writing == WRITE_IDLE)
        settle_batch(postgres);
    else
        begin_next(postgres);
}

void postgres_sign_of_life(struct postgres *postgres)
{
    if (postgres_real_ms() - postgres->heard_ms < LIFE_MS)
        return;
    if (postgres->wakes)
        link_wake(postgres->writer, 0);
    postgres->wakes = false;
    if (postgres->writing == WRITE_IDLE && postgres->batch_state == BATCH_NONE)
        call_empty(postgres);
}

void postgres_want_barrier(struct postgres *postgres)
{
    set_barrier(postgres, BARRIER_WANTED); /* a call that runs has begun before: it is none */
    begin_next(postgres);
}

static void on_writer_up(void *context)
{
    struct postgres *postgres = context;

    if (postgres->epoch == 0)
        postgres_join(postgres);
    else
        ask_own_row(postgres);
}

static void on_writer_down(void *context, const char *why)
{
    struct postgres *postgres = context;

    snprintf(postgres->error, sizeof postgres->error, "%s", why);
    set_writing(postgres, WRITE_AWAY);
    if (postgres->health == HEALTH_GOOD)
        postgres_set_health(postgres, HEALTH_SILENT);
    note_asked(postgres);
}

static void on_writer_notified(void *context, char *payload)
{
    (void)context, (void)payload;
}

const struct link_calls postgres_writer_calls = {
    .up = on_writer_up, .down = on_writer_down, .notified = on_writer_notified};
