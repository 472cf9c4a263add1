#include "wire.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct buffer *wire_begin(const struct wire *wire, const char *type)
{
    json_open(wire->out, NULL, '{');
    json_word(wire->out, "type", type);
    wire_id(wire);
    return wire->out;
}

void wire_end(const struct wire *wire)
{
    buffer_add(wire->out, "}\n", 2);
}

void wire_begin_rows(const struct wire *wire, const char *type, const char *rows)
{
    if (!wire->text)
        json_open(wire_begin(wire, type), rows, '[');
}

void wire_end_rows(const struct wire *wire, int total)
{
    if (wire->text)
        return;
    json_close(wire->out, ']');
    if (total >= 0)
        json_integer(wire->out, "total", total);
    wire_end(wire);
}

void wire_id(const struct wire *wire)
{
    if (wire->id != NULL)
        json_string(wire->out, "id", wire->id);
}

void wire_game(struct buffer *json, const char *id, const struct game *game, const char *variant)
{
    json_word(json, "match", id);
    json_word(json, "game", game->name);
    json_word(json, "variant", variant);
}

void wire_seek_id(struct buffer *json, struct seek_id seek)
{
    json_word(json, "seek", seek_label(seek).text);
}

void wire_outcome(struct buffer *json, struct outcome outcome)
{
    json_word(json, "result", result_text(outcome.result));
    json_word(json, "reason", reason_text(outcome.reason));
}

struct wire_date wire_date_text(time_t date)
{
    struct wire_date written;
    struct tm utc;

    strftime(written.text, sizeof written.text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&date, &utc));
    return written;
}

void wire_rating_after(struct buffer *json, const double rating_after[2])
{
    static const char *const members[] = {"white_rating", "black_rating"};

    for (int color = WHITE; color <= BLACK; color++)
        if (rating_after[color] > 0)
            json_integer(json, members[color], lround(rating_after[color]));
        else
            json_null(json, members[color]);
}

void wire_rating_after_text(struct buffer *text, const char *const names[2],
                            const double rating_after[2])
{
    for (int color = WHITE; color <= BLACK; color++) {
        buffer_puts(text, color == BLACK ? " - " : "");
        buffer_puts(text, names[color] != NULL ? names[color] : "(open)");
        if (rating_after[color] > 0)
            buffer_printf(text, " (%ld)", lround(rating_after[color]));
    }
}

void wire_display(struct buffer *json, const char *member, const char *display)
{
    if (display != NULL && display[0] != '\0')
        json_string(json, member, display);
}

void wire_time_control(struct buffer *json, const struct clock *clock)
{
    if (clock->base_ms == 0) {
        json_null(json, "clock");
        return;
    }
    json_open(json, "clock", '{');
    json_integer(json, "base_ms", clock->base_ms);
    json_integer(json, "increment_ms", clock->increment_ms);
    json_close(json, '}');
}

void wire_time_control_text(struct buffer *text, const char *before, const struct clock *clock)
{
    if (clock->base_ms > 0)
        buffer_printf(text, "%s%.10g+%.10g", before, (double)clock->base_ms / 1000,
                      (double)clock->increment_ms / 1000);
}

void wire_claim_text(struct buffer *text, int64_t claim_ms)
{
    if (claim_ms > 0)
        buffer_printf(text, ", claim in %lld s", (long long)(claim_ms + 999) / 1000);
    else if (claim_ms == 0)
        buffer_puts(text, ", claim now");
}

/* Replies about the server and the connection. */

static void write_name_text(struct buffer *text, const char *name, const char *token)
{
    buffer_printf(text, "you are %s; to come back after a lost connection: hello %s token=%s\n",
                  name, name, token);
}

static void write_ok_text(struct buffer *text, const char *verb, const struct ok *ok)
{
    if (strcmp(verb, "hello") == 0)
        write_name_text(text, ok->name, ok->token != NULL ? ok->token : "");
    if (ok->matches > 0)
        buffer_printf(text, "you have %d matches: list mine shows all\n", ok->matches);
    if (strcmp(verb, "hello") == 0)
        return;
    if (strcmp(verb, "new") == 0)
        buffer_printf(text, "opened match %s\n", ok->match);
    else if (ok->tournament != NULL)
        buffer_printf(text, "ok: tournament %s\n", ok->tournament);
    else if (strcmp(verb, "seek") == 0)
        buffer_printf(text, "you seek an opponent: unseek %lld takes it back\n",
                      (long long)ok->seek);
    else if (strcmp(verb, "set") == 0)
        buffer_puts(text, "ok: help lists the commands, games the games\n");
    else if (strcmp(verb, "move") != 0) /* `state` follows */
        buffer_puts(text, "ok\n");
}

void wire_ok(const struct wire *wire, const char *verb, const struct ok *ok)
{
    if (wire->text) {
        write_ok_text(wire->out, verb, ok);
        return;
    }
    struct buffer *json = wire_begin(wire, "ok");
    json_word(json, "cmd", verb);
    if (ok->name != NULL)
        json_string(json, "name", ok->name);
    wire_display(json, "display", ok->display);
    if (ok->token != NULL)
        json_word(json, "token", ok->token);
    if (ok->match != NULL)
        json_word(json, "match", ok->match);
    if (ok->tournament != NULL)
        json_word(json, "tournament", ok->tournament);
    if (ok->color != NULL)
        json_word(json, "color", ok->color);
    if (ok->seek > 0)
        wire_seek_id(json, (struct seek_id){0, ok->seek});
    if (ok->ply > 0)
        json_integer(json, "ply", ok->ply);
    if (ok->matches > 0)
        json_integer(json, "matches", ok->matches);
    if (ok->is_offer)
        json_bool(json, "agreed", ok->agreed);
    wire_end(wire);
}

void wire_error(const struct wire *wire, const char *verb, const char *code, const char *message,
                int64_t retry_ms)
{
    if (WIRE_TEXT(wire, "! %s (%s)\n", message, code))
        return;
    struct buffer *json = wire_begin(wire, "error");
    if (verb != NULL)
        json_string(json, "cmd", verb);
    json_word(json, "code", code);
    json_string(json, "message", message);
    if (retry_ms >= 0)
        json_integer(json, "retry_ms", retry_ms);
    wire_end(wire);
}

void wire_pong(const struct wire *wire, const char *text)
{
    if (WIRE_TEXT(wire, "pong%s%s\n", text[0] != '\0' ? " " : "", text))
        return;
    struct buffer *json = wire_begin(wire, "pong");
    if (text[0] != '\0')
        json_string(json, "text", text);
    wire_end(wire);
}

void wire_device(const struct wire *wire, const struct player *player, const char *code,
                 int64_t expires_ms)
{
    if (WIRE_TEXT(wire, "on the other device, within %d minutes: hello %s device=%s\n",
                  (int)(expires_ms / 60000), player->name, code))
        return;
    struct buffer *json = wire_begin(wire, "device");
    json_word(json, "code", code);
    json_integer(json, "expires_ms", expires_ms);
    wire_end(wire);
}

static void write_token(const struct wire *wire, const struct token *token, bool own, int windows)
{
    struct wire_date written = wire_date_text(token->since_s);
    const char *date = token->since_s != 0 ? written.text : NULL;
    struct buffer *json = wire->out;

    if (WIRE_TEXT(wire, "%3d  %-20s %.10s%s\n", token->number, token->label,
                  date != NULL ? date : "",
                  own           ? "  this one"
                  : windows > 0 ? "  here"
                                : ""))
        return;
    json_open(json, NULL, '{');
    json_integer(json, "token", token->number);
    json_string(json, "label", token->label);
    json_word(json, "date", date);
    json_integer(json, "connections", windows);
    json_bool(json, "own", own);
    json_close(json, '}');
}

void wire_tokens(const struct wire *wire, const struct player *player, int own, const int windows[])
{
    wire_begin_rows(wire, "tokens", "tokens");
    for (int i = 0; i < player_token_count(player); i++) {
        const struct token token = player_token_at(player, i);
        write_token(wire, &token, token.number == own, windows[i]);
    }
    wire_end_rows(wire, player_token_count(player));
}

static void write_game(const struct wire *wire, const struct game *game)
{
    struct buffer *out = wire->out;
    struct position start;
    char text[POSITION_TEXT_MAX];
    struct cause cause;

    if (WIRE_TEXT(wire, "%-11s %s\n            variants: %s; new %s:%s\n", game->name,
                  game->summary, game->variants_text, game->name, game->variants[0]))
        return;
    json_open(out, NULL, '{');
    json_word(out, "name", game->name);
    json_string(out, "title", game->title);
    json_open(out, "variants", '[');
    for (const char *const *variant = game->variants; *variant != NULL; variant++)
        json_word(out, NULL, *variant);
    json_close(out, ']');
    json_word(out, "default", game->variants[0]);
    json_string(out, "summary", game->summary);
    json_string(out, "variants_text", game->variants_text);
    if (game->start(NULL, &start, &cause)) {
        game->format(&start, text);
        json_string(out, "start", text);
    }
    json_open(out, "rules", '[');
    for (const char *const *paragraph = game->rules; *paragraph != NULL; paragraph++)
        json_string(out, NULL, *paragraph);
    json_close(out, ']');
    json_close(out, '}');
}

void wire_games(const struct wire *wire)
{
    wire_begin_rows(wire, "games", "games");
    for (const struct game *const *game = games; *game != NULL; game++)
        write_game(wire, *game);
    wire_end_rows(wire, -1);
}

void wire_stats(const struct wire *wire, const struct stat_row *rows, size_t count)
{
    if (!wire->text)
        wire_begin(wire, "stats");
    for (size_t i = 0; i < count; i++)
        if (!WIRE_TEXT(wire, "%-17s %lld\n", rows[i].name, (long long)rows[i].value))
            json_integer(wire->out, rows[i].name, rows[i].value);
    if (!wire->text)
        wire_end(wire);
}

void wire_help(const struct wire *wire, const struct help_row *rows, size_t count)
{
    wire_begin_rows(wire, "help", "commands");
    for (const struct help_row *row = rows; row < rows + count; row++) {
        if (WIRE_TEXT(wire, "%s%s%s\n    %s\n", row->verb, row->usage[0] != '\0' ? " " : "",
                      row->usage, row->summary))
            continue;
        json_open(wire->out, NULL, '{');
        json_word(wire->out, "verb", row->verb);
        json_string(wire->out, "usage", row->usage);
        json_string(wire->out, "summary", row->summary);
        json_close(wire->out, '}');
    }
    wire_end_rows(wire, -1);
}

/* Events. */

/* Writes the members that a server has which shares its lobby. */
static void write_nodes(struct buffer *json, const struct nodes *nodes)
{
    json_integer(json, "node", nodes->own);
    json_open(json, "nodes", '[');
    for (int i = 0; i < nodes->count; i++)
        json_string(json, NULL, nodes->list[i].address);
    json_close(json, ']');
}

void wire_greeting(const struct wire *wire, bool needs_code, const struct limits *limits,
                   const struct player *player, const struct nodes *nodes)
{
    struct buffer *json = wire_begin(wire, "hello");

    json_integer(json, "proto", 1);
    json_word(json, "server", "ludusd/" LUDUS_VERSION);
    json_open(json, "games", '[');
    for (const struct game *const *game = games; *game != NULL; game++)
        json_word(json, NULL, (*game)->name);
    json_close(json, ']');
    json_bool(json, "code", needs_code);
    json_open(json, "limits", '{');
    json_integer(json, "line", limits->line_bytes);
    if (limits->address_kept > 0)
        json_integer(json, "kept_bytes_a_day", limits->address_kept * INT64_C(1000000));
    if (limits->player_connections > 0)
        json_integer(json, "player_connections", limits->player_connections);
    json_close(json, '}');
    json_string(json, "name", player->name);
    if (nodes->own != 0)
        write_nodes(json, nodes);
    wire_end(wire);
}

void wire_nodes(const struct wire *wire, const struct nodes *nodes)
{
    if (wire->text) {
        buffer_puts(wire->out, "servers of this lobby:");
        for (int i = 0; i < nodes->count; i++)
            buffer_printf(wire->out, " %s", nodes->list[i].address);
        buffer_puts(wire->out, "\n");
        return;
    }
    write_nodes(wire_begin(wire, "nodes"), nodes);
    wire_end(wire);
}

void wire_name(const struct wire *wire, const char *name, const char *token)
{
    if (wire->text) {
        write_name_text(wire->out, name, token);
        return;
    }
    struct buffer *json = wire_begin(wire, "name");
    json_string(json, "name", name);
    json_word(json, "token", token);
    wire_end(wire);
}

void wire_windows(const struct wire *wire, int count)
{
    if (WIRE_TEXT(wire, "you are here in %d window%s\n", count, count == 1 ? "" : "s"))
        return;
    json_integer(wire_begin(wire, "windows"), "count", count);
    wire_end(wire);
}

void wire_ping(const struct wire *wire)
{
    if (WIRE_TEXT(wire, "(still there? press Enter)\n"))
        return;
    wire_begin(wire, "ping");
    wire_end(wire);
}

void wire_bye(const struct wire *wire, const char *reason)
{
    if (WIRE_TEXT(wire, "bye: %s\n", reason))
        return;
    json_word(wire_begin(wire, "bye"), "reason", reason);
    wire_end(wire);
}

void wire_challenge(const struct wire *wire, const struct seat *seat)
{
    const struct table *table = seat->table;
    const struct match *match = &table->match;
    const char *from = table->creator != NULL ? table->creator->name : NULL;
    char variant[VARIANT_NAME_MAX], start[POSITION_TEXT_MAX];

    match->game->variant_name(&match->start, variant);
    match->game->format(&match->start, start);
    if (WIRE_TEXT(wire, "%s asks you to play %s %s as %s", from != NULL ? from : "",
                  match->game->name, variant, color_name(seat->color))) {
        wire_time_control_text(wire->out, " with clock ", &match->clock);
        buffer_puts(wire->out, table->casual ? ", not rated" : "");
        buffer_puts(wire->out, table->is_private ? ", in private" : "");
        buffer_printf(wire->out, ": join %s, or decline %s\n", table->id, table->id);
        return;
    }
    struct buffer *json = wire_begin(wire, "challenge");
    wire_game(json, table->id, match->game, variant);
    json_string(json, "from", from);
    wire_display(json, "display", from != NULL ? player_display(table->creator) : NULL);
    json_word(json, "color", color_name(seat->color));
    wire_time_control(json, &match->clock);
    json_word(json, "position", match_is_from_start(match) ? NULL : start);
    json_bool(json, "rated", !table->casual);
    json_bool(json, "private", table->is_private);
    wire_end(wire);
}

void wire_declined(const struct wire *wire, const struct table *table, const char *from,
                   const char *reason)
{
    if (WIRE_TEXT(wire, "%s declines match %s: %s\n", from, table->id, reason))
        return;
    struct buffer *json = wire_begin(wire, "declined");
    json_word(json, "match", table->id);
    json_string(json, "from", from);
    json_word(json, "reason", reason);
    wire_end(wire);
}

static void write_paired_text(struct buffer *text, const struct seat *seat, const char *opponent,
                              const char *variant)
{
    const struct table *table = seat->table;

    buffer_printf(text, "you play %s %s against %s as %s", table->match.game->name, variant,
                  opponent, color_name(seat->color));
    wire_time_control_text(text, " with clock ", &table->match.clock);
    buffer_printf(text, "%s: match %s\n", table->casual ? ", not rated" : "", table->id);
}

void wire_paired(const struct wire *wire, const struct seat *seat, struct seek_id seek,
                 const char *tournament, int round)
{
    const struct table *table = seat->table;
    const char *opponent = seat_name(&table->seats[!seat->color]);
    char variant[VARIANT_NAME_MAX];

    table->match.game->variant_name(&table->match.start, variant);
    if (wire->text) {
        write_paired_text(wire->out, seat, opponent, variant);
        return;
    }
    struct buffer *json = wire_begin(wire, "paired");
    if (seek.number != 0)
        wire_seek_id(json, seek);
    wire_game(json, table->id, table->match.game, variant);
    json_word(json, "color", color_name(seat->color));
    json_string(json, "opponent", opponent);
    if (opponent != NULL)
        wire_display(json, "display", player_display(table->seats[!seat->color].player));
    wire_time_control(json, &table->match.clock);
    json_bool(json, "rated", !table->casual);
    if (tournament[0] != '\0') {
        json_word(json, "tournament", tournament);
        json_integer(json, "round", round);
    }
    wire_end(wire);
}

void wire_presence(const struct wire *wire, const struct instant *instant, const struct seat *seat)
{
    const struct player *player = seat->player;
    const char *match = seat->table->id, *color = color_name(seat->color);
    int64_t claim_ms = seat_claim_ms(seat, instant);

    if (WIRE_TEXT(wire, "%s (%s) is %s in match %s", player->name, color,
                  player->here ? "here" : "away", match)) {
        wire_claim_text(wire->out, claim_ms);
        buffer_puts(wire->out, "\n");
        return;
    }
    struct buffer *json = wire_begin(wire, "presence");
    json_word(json, "match", match);
    json_string(json, "name", player->name);
    wire_display(json, "display", player_display(player));
    json_word(json, "color", color);
    json_bool(json, "online", player->here);
    if (claim_ms >= 0)
        json_integer(json, "claim_ms", claim_ms);
    else
        json_null(json, "claim_ms");
    wire_end(wire);
}

static void write_offer_text(struct buffer *text, const char *match, const char *what,
                             const char *from, enum offer_news news)
{
    if (news == OFFER_MADE)
        buffer_printf(text, "%s offers in match %s: %s (%s %s accepts, decline %s refuses)\n", from,
                      match, what, what, match, match);
    else
        buffer_printf(text, "the offer of %s in match %s was %s: %s\n", from, match,
                      news == OFFER_ACCEPTED ? "accepted" : "refused", what);
}

void wire_offer(const struct wire *wire, const struct table *table, enum offer what,
                enum color from, enum offer_news news)
{
    const char *name = seat_name(&table->seats[from]);

    if (wire->text) {
        write_offer_text(wire->out, table->id, offer_text(what), name != NULL ? name : "", news);
        return;
    }
    struct buffer *json = wire_begin(wire, "offer");
    json_word(json, "match", table->id);
    json_word(json, "what", offer_text(what));
    json_string(json, "from", name);
    json_word(json, "color", color_name(from));
    json_bool(json, "open", news == OFFER_MADE);
    if (news != OFFER_MADE)
        json_bool(json, "accepted", news == OFFER_ACCEPTED);
    wire_end(wire);
}

void wire_chat(const struct wire *wire, const struct table *table, const struct talk_line *line,
               bool past)
{
    if (WIRE_TEXT(wire, "[%s] %s%s%s: %s\n", table->id,
                  line->room == ROOM_WATCHERS ? "(watchers) " : "", past ? "(earlier) " : "",
                  line->from, line->text))
        return;
    struct buffer *json = wire_begin(wire, "chat");
    json_word(json, "match", table->id);
    json_string(json, "from", line->from);
    json_string(json, "text", line->text);
    json_word(json, "to", room_name(line->room));
    if (past)
        json_bool(json, "past", true);
    wire_end(wire);
}

void wire_rematch(const struct wire *wire, const struct table *table, const struct table *next)
{
    if (WIRE_TEXT(wire, "the rematch of match %s is match %s\n", table->id, next->id))
        return;
    struct buffer *json = wire_begin(wire, "rematch");
    json_word(json, "match", table->id);
    json_word(json, "new", next->id);
    wire_end(wire);
}
