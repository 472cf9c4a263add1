#include "state_json.h"

#include <math.h>

#include "common/board_json.h"
#include "common/move.h"
#include "referee.h"
#include "session.h"

/* What is known of his strength in the match's game and variant; nothing of a guest's. */
static void write_rating(struct json_text *json, const struct player *player,
                         const struct match *match, const char *variant)
{
    struct glicko glicko;

    if (player_glicko(player, match->game, variant, &glicko)) {
        json_integer(json, "rating", lround(glicko.rating));
        json_integer(json, "rating_deviation", lround(glicko.deviation));
    } else {
        json_null(json, "rating");
        json_null(json, "rating_deviation");
    }
}

static void write_player(struct json_text *json, const struct server *server,
                         const struct seat *seat, const char *variant)
{
    const struct player *player = seat->player;
    const struct match *match = &seat->table->match;
    const char *color = color_name(seat->color);

    if (player == NULL) {
        json_null(json, color);
        return;
    }
    json_open(json, color, '{');
    json_string(json, "name", player->name);
    json_bool(json, "bot", player->bot);
    write_rating(json, player, match, variant);
    json_bool(json, "online", player_is_here(player));
    json_bool(json, "seated", seat->joined);
    if (match->status == MATCH_PLAYING && !player_is_here(player))
        json_integer(json, "claim_ms", referee_claim_ms(server, player));
    json_close(json, '}');
}

static void write_last_move(struct json_text *json, const struct match *match)
{
    char text[MOVE_TEXT_MAX];

    if (match->ply_count == 0) {
        json_null(json, "last");
        return;
    }
    move_format(&match->position, match->plies[match->ply_count - 1].move, text);
    json_word(json, "last", text);
}

/* The clock as it stands now. */
static void write_clock(struct json_text *json, const struct clock *clock, int64_t now_ms)
{
    if (clock->base_ms == 0) {
        json_null(json, "clock");
        return;
    }
    json_open(json, "clock", '{');
    json_integer(json, "white_ms", clock_left_ms(clock, WHITE, now_ms));
    json_integer(json, "black_ms", clock_left_ms(clock, BLACK, now_ms));
    json_integer(json, "increment_ms", clock->increment_ms);
    json_word(json, "running", clock->runs ? color_name(clock->side) : NULL);
    json_close(json, '}');
}

static void write_offer(struct json_text *json, const struct seat *seat, enum offer what)
{
    json_open(json, NULL, '{');
    json_word(json, "what", offer_text(what));
    json_string(json, "from", seat->player != NULL ? seat->player->name : NULL);
    json_word(json, "color", color_name(seat->color));
    json_close(json, '}');
}

static void write_offers(struct json_text *json, const struct table *table)
{
    json_open(json, "offers", '[');
    for (int what = 0; what < OFFER_KINDS; what++)
        for (int color = WHITE; color <= BLACK; color++)
            if (table->match.offers[what][color])
                write_offer(json, &table->seats[color], what);
    json_close(json, ']');
}

void state_json_common(struct json_text *json, const struct server *server,
                       const struct table *table)
{
    const struct match *match = &table->match;
    char variant[VARIANT_NAME_MAX];

    match->game->variant_name(&match->start, variant);
    json_open(json, NULL, '{');
    json_word(json, "type", "state");
    json_word(json, "match", table->id);
    json_word(json, "game", match->game->name);
    json_word(json, "variant", variant);
    json_word(json, "status", match_status_text(match->status));
    json_integer(json, "ply", match->ply_count);
    board_json(json, match->game, &match->position);
    write_last_move(json, match);
    json_open(json, "players", '{');
    for (int color = WHITE; color <= BLACK; color++)
        write_player(json, server, &table->seats[color], variant);
    json_close(json, '}');
    write_clock(json, &match->clock, server->now_ms);
    write_offers(json, table);
    json_word(json, "result", result_text(match->outcome.result));
    json_word(json, "reason", reason_text(match->outcome.reason));
}

void state_json_own(struct json_text *json, const struct table *table, unsigned seats,
                    bool with_legal)
{
    static const char *const you[] = {NULL, "white", "black", "both"};
    const struct match *match = &table->match;

    json_word(json, "you", you[seats]);
    if (with_legal && match->status == MATCH_PLAYING && seats & 1u << match->position.side)
        legal_json(json, "legal", match->game, &match->position, -1);
    json_close(json, '}');
}
