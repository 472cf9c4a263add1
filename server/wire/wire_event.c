#include "wire.h"

/* Writes the members that a server has which shares its lobby. */
static void write_nodes(struct buffer *json, const struct nodes *nodes)
{
    json_integer(json, "node", nodes->own);
    json_open(json, "nodes", '[');
    for (int i = 0; i < nodes->count; i++)
        json_string(json, NULL, nodes->list[i].address);
    json_close(json, ']');
}

void wire_greeting(const struct wire *wire, bool needs_code, int line_bytes, int kept_megabytes,
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
    json_integer(json, "line", line_bytes);
    if (kept_megabytes > 0)
        json_integer(json, "kept_bytes_a_day", kept_megabytes * INT64_C(1000000));
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

void wire_paired(const struct wire *wire, const struct seat *seat, int64_t seek,
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
    if (seek != 0)
        wire_seek_id(json, (struct seek_id){0, seek});
    wire_game(json, table->id, table->match.game, variant);
    json_word(json, "color", color_name(seat->color));
    json_string(json, "opponent", opponent);
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

void wire_chat(const struct wire *wire, const struct table *table, const struct player *from,
               const char *text)
{
    if (WIRE_TEXT(wire, "[%s] %s: %s\n", table->id, from->name, text))
        return;
    struct buffer *json = wire_begin(wire, "chat");
    json_word(json, "match", table->id);
    json_string(json, "from", from->name);
    json_string(json, "text", text);
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
