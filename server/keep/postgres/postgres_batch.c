/* Units as the values of a call of keep(). */
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_text.h"
#include "common/move.h"
#include "postgres.h"

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

enum { DAY_MS = 86400000 };

void call_begin(struct call *call, const struct postgres *postgres, int64_t number)
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

void call_end(struct call *call)
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
static void add(struct call *call, int value, int64_t number)
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

static void add_note(struct call *call, const struct match *match, const struct ply_note *note)
{
    char pv[PV_TEXT_MAX];

    if (note->eval != EVAL_NONE)
        add(call, VALUE_EVALS, note->eval);
    else
        add_text(call, VALUE_EVALS, NULL);
    add_text(call, VALUE_PVS, note->pv_count > 0 ? pv_text(match, note, ',', pv) : NULL);
}

/* Whether a unit is a move in a match that goes on, and nothing else. */
static bool is_move(const struct unit *unit)
{
    const struct table_draft *draft = &unit->tables[0];

    return unit->table_count == 1 && unit->player == NULL && unit->rating_count == 0 &&
           draft->table != NULL && draft->table->match.status == MATCH_PLAYING &&
           draft->next->match.status == MATCH_PLAYING && entry_kind(draft) == 'm';
}

/* Adds the line that other servers are told of a match. */
static void add_news(struct call *call, int64_t unit, const struct table *next)
{
    add(call, VALUE_UNITS, unit);
    add(call, VALUE_TOLD, next->number);
    add_text(call, VALUE_NEWS, call->line.bytes);
}

/* Whether a unit ends a running match, and changes nothing else but ratings. */
static bool ends_match(const struct unit *unit)
{
    const struct table_draft *draft = &unit->tables[0];

    return unit->table_count == 1 && unit->player == NULL && draft->table != NULL &&
           draft->table->match.status == MATCH_PLAYING && draft->next->match.status == MATCH_OVER &&
           draft->next->match.ply_count >= draft->table->match.ply_count;
}

static void add_move(struct call *call, const struct table *next)
{
    const struct match *match = &next->match;
    char move[MOVE_TEXT_MAX];

    news_of_move(&call->line, next);
    add_news(call, next->number, next);
    entry_last_move(match, move);
    add(call, VALUE_MATCHES, next->number);
    add(call, VALUE_VERSIONS, next->version);
    add(call, VALUE_PLIES, match->ply_count);
    add_text(call, VALUE_MOVES, move);
    add(call, VALUE_TOOK, match->plies[match->ply_count - 1].took_ms);
    add(call, VALUE_WHITE, entry_left_ms(match, WHITE));
    add(call, VALUE_BLACK, entry_left_ms(match, BLACK));
    add(call, VALUE_OFFERS, match_offer_bits(match));
    add_note(call, match, &match->plies[match->ply_count - 1].note);
}

static void put_note(struct buffer *json, const struct match *match, const struct ply_note *note)
{
    char pv[PV_TEXT_MAX];

    if (note->eval != EVAL_NONE)
        json_integer(json, "eval", note->eval);
    if (note->pv_count > 0)
        json_word(json, "pv", pv_text(match, note, ',', pv));
}

static void put_entry(struct buffer *json, const struct table_draft *draft)
{
    const struct match *match = &draft->next->match;
    char kind[2] = {entry_kind(draft), '\0'}, move[MOVE_TEXT_MAX] = "";
    bool moved = kind[0] == 'm';

    if (moved)
        entry_last_move(match, move);
    json_open(json, NULL, '{');
    json_integer(json, "match", draft->next->number);
    json_integer(json, "version", draft->next->version);
    json_word(json, "kind", kind);
    json_integer(json, "ply", match->ply_count);
    json_word(json, "move", move);
    json_integer(json, "took_ms", moved ? match->plies[match->ply_count - 1].took_ms : 0);
    json_integer(json, "white_ms", entry_left_ms(match, WHITE));
    json_integer(json, "black_ms", entry_left_ms(match, BLACK));
    json_integer(json, "offers", match_offer_bits(match));
    if (moved)
        put_note(json, match, &match->plies[match->ply_count - 1].note);
    json_close(json, '}');
}

static void put_player_id(struct buffer *json, const char *name, const struct player *player)
{
    if (player != NULL)
        json_integer(json, name, player->id);
    else
        json_null(json, name);
}

static void put_real(struct buffer *json, const char *name, double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.17g", value);
    json_word(json, name, text); /* PostgreSQL reads it from a string, too */
}

/* Nothing is due before: moves do not change it. */
static int64_t due_ms(const struct match *match)
{
    const struct clock *clock = &match->clock;

    if (clock->base_ms == 0 || match->status != MATCH_PLAYING)
        return DAY_MS;
    return clock->left_ms[WHITE] < clock->left_ms[BLACK] ? clock->left_ms[WHITE]
                                                         : clock->left_ms[BLACK];
}

/* What never changes. */
static void put_fresh(struct buffer *json, const struct table *next, int node)
{
    const struct match *match = &next->match;
    const struct clock *clock = &match->clock;
    char variant[VARIANT_NAME_MAX], start[POSITION_TEXT_MAX];

    match->game->variant_name(&match->start, variant);
    match->game->format(&match->start, start);
    json_bool(json, "fresh", true);
    json_word(json, "id", next->id);
    json_word(json, "once", next->once[0] != '\0' ? next->once : NULL);
    json_bool(json, "private", next->is_private);
    json_bool(json, "rated", !next->casual);
    json_word(json, "game", match->game->name);
    json_word(json, "variant", variant);
    json_string(json, "start", start);
    json_integer(json, "opened_s", next->date);
    if (clock->base_ms > 0) {
        json_integer(json, "base_ms", clock->base_ms);
        json_integer(json, "increment_ms", clock->increment_ms);
    }
    json_integer(json, "home", node);
}

static void put_match(struct buffer *json, const struct table_draft *draft, int node)
{
    static const char *const ratings[] = {"white_rating", "black_rating"};
    const struct table *next = draft->next;
    const struct match *match = &next->match;

    json_open(json, NULL, '{');
    json_integer(json, "number", next->number);
    if (draft->table == NULL)
        put_fresh(json, next, node);
    json_integer(json, "due_ms", due_ms(match));
    put_player_id(json, "creator", match->status != MATCH_OVER ? next->creator : NULL);
    put_player_id(json, "white", next->seats[WHITE].player);
    put_player_id(json, "black", next->seats[BLACK].player);
    json_bool(json, "white_joined", next->seats[WHITE].joined);
    json_bool(json, "black_joined", next->seats[BLACK].joined);
    json_word(json, "status", match_status_text(match->status));
    json_bool(json, "started", next->started);
    json_word(json, "result", result_text(match->outcome.result));
    json_word(json, "reason", reason_text(match->outcome.reason));
    for (int color = WHITE; color <= BLACK; color++)
        if (next->rated[color] > 0)
            put_real(json, ratings[color], next->rated[color]);
    json_close(json, '}');
}

/* `node` is where they are connected; 0: nowhere. */
static void put_player(struct buffer *json, int64_t id, const struct identity *identity, int login,
                       int node)
{
    char hash[3 + 2 * TOKEN_HASH_BYTES] = "\\x";

    json_open(json, NULL, '{');
    json_integer(json, "id", id);
    json_word(json, "name", identity->name);
    json_word(json, "kind", player_kind_text(identity->kind));
    json_bool(json, "bot", identity->bot);
    if (identity->kind == PLAYER_NAMED) {
        sodium_bin2hex(hash + 2, sizeof hash - 2, identity->token_hash, TOKEN_HASH_BYTES);
        json_string(json, "token_hash", hash);
    }
    json_integer(json, "login", login);
    if (node != 0)
        json_integer(json, "node", node);
    json_integer(json, "seen_s", identity->seen_s);
    json_close(json, '}');
}

/* Whether the engine has no row of a player whom a match refers to; one who is at another server
 * may have got one meanwhile. */
static bool is_missing(const struct player *player, bool elsewhere)
{
    return player != NULL && !player->stored && (player->node != 0) == elsewhere;
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
 * Without any, it is left out: most units have none, and the engine reads it all. */
static void put_players(struct buffer *json, const char *name, const struct unit *unit,
                        const struct player *changes, bool elsewhere, int node)
{
    const struct player *missing[UNIT_TABLES_MAX * PEOPLE];
    int count = find_missing(unit, elsewhere, missing);

    if (changes == NULL && count == 0)
        return;
    json_open(json, name, '[');
    if (changes != NULL)
        put_player(json, changes->id, &unit->identity, unit->login,
                   changes->session != NULL ? node : 0);
    for (int i = 0; i < count; i++) {
        struct identity identity = player_identity(missing[i]);
        put_player(json, missing[i]->id, &identity, missing[i]->login,
                   missing[i]->session != NULL ? node : missing[i]->node);
    }
    json_close(json, ']');
}

/* Adds the seeks that end in a match, as far as other servers could pair them. */
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
    json_open(json, NULL, '{');
    json_integer(json, "player", rating->player->id);
    json_word(json, "game", rating->game->name);
    json_word(json, "variant", rating->variant);
    put_real(json, "rating", rating->now.rating);
    put_real(json, "deviation", rating->now.deviation);
    put_real(json, "volatility", rating->now.volatility);
    json_integer(json, "matches", rating->matches);
    json_close(json, '}');
}

/* The colour of the player with whom a unit starts a match, and changes nothing else; -1: it does
 * something else. */
static int starts_match(const struct unit *unit)
{
    const struct table_draft *draft = &unit->tables[0];

    if (unit->table_count != 1 || unit->player != NULL || draft->table == NULL ||
        draft->table->match.status != MATCH_OPEN || draft->next->match.status != MATCH_PLAYING)
        return -1;
    return draft->table->seats[WHITE].joined ? BLACK : WHITE;
}

/* Tells of the matches of a unit. */
static void tell_unit(struct call *call, const struct postgres *postgres, const struct unit *unit,
                      int64_t number)
{
    int joiner = starts_match(unit);

    for (int i = 0; i < unit->table_count; i++) {
        if (ends_match(unit))
            news_of_end(&call->line, unit);
        else if (joiner >= 0)
            news_of_start(&call->line, postgres, unit->tables[0].next, joiner);
        else
            news_to_read(&call->line, unit->tables[i].next);
        add_news(call, number, unit->tables[i].next);
    }
}

/* Adds a unit that is more than a move, under a number below 0. */
static void add_cold(struct call *call, const struct postgres *postgres, const struct unit *unit,
                     int index)
{
    struct buffer *json = &call->values[VALUE_COLD];
    int node = postgres->nodes.own;

    tell_unit(call, postgres, unit, -1 - index);
    json_open(json, NULL, '{');
    json_integer(json, "unit", -1 - index);
    put_players(json, "players", unit, unit->player, false, node);
    put_players(json, "strangers", unit, NULL, true, node);
    json_open(json, "entries", '[');
    for (int i = 0; i < unit->table_count; i++)
        put_entry(json, &unit->tables[i]);
    json_close(json, ']');
    json_open(json, "matches", '[');
    for (int i = 0; i < unit->table_count; i++)
        put_match(json, &unit->tables[i], node);
    json_close(json, ']');
    if (unit->rating_count > 0) {
        json_open(json, "ratings", '[');
        for (int i = 0; i < unit->rating_count; i++)
            put_rating(json, &unit->ratings[i]);
        json_close(json, ']');
    }
    if (unit->pairs) {
        json_open(json, "seeks", '[');
        for (int color = WHITE; color <= BLACK; color++)
            put_seek(json, unit->tables[0].next, &unit->paired, color, node);
        json_close(json, ']');
    }
    json_close(json, '}');
}

void call_add(struct call *call, const struct postgres *postgres, struct unit *unit, int index)
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

/* Whether a number of an outcome means this unit, which is the one of that index. */
static bool is_meant(const struct unit *unit, int index, int64_t number)
{
    return number < 0
               ? number == -1 - index
               : unit->table_count == 1 && unit->tables[0].next->number == number && is_move(unit);
}

int call_mark_stale(const char *outcome, struct unit *from, const struct unit *to)
{
    int count = 0;

    for (const char *at = outcome; *at != '\0' && *at != '}'; at++) {
        char *end;
        int64_t number = strtoll(at + 1, &end, 10);
        int index = 0;
        for (struct unit *unit = from; unit != to; unit = TAILQ_NEXT(unit, link)) {
            if (!unit_writes(unit))
                continue;
            if (is_meant(unit, index++, number)) {
                unit->kept = KEPT_STALE;
                count++;
            }
        }
        if (end == at + 1)
            break;
        at = end - 1;
    }
    return count;
}
