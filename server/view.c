#include "view.h"

#include <math.h>
#include <string.h>

#include "common/message.h"
#include "common/move.h"
#include "json_memory.h"
#include "referee.h"
#include "session.h"
#include "state_json.h"

cJSON *view_event(const char *type)
{
    json_memory_begin();
    cJSON *object = cJSON_CreateObject();

    cJSON_AddStringToObject(object, "type", type);
    return object;
}

void view_add_row(cJSON *array, cJSON *row)
{
    if (!cJSON_AddItemToArray(array, row))
        cJSON_Delete(row);
}

static void add_string_or_null(cJSON *object, const char *name, const char *text)
{
    if (text != NULL)
        cJSON_AddStringToObject(object, name, text);
    else
        cJSON_AddNullToObject(object, name);
}

cJSON *view_greeting(const struct server *server, const struct player *player)
{
    cJSON *hello = view_event("hello");

    cJSON_AddNumberToObject(hello, "proto", 1);
    cJSON_AddStringToObject(hello, "server", "ludusd/" LUDUS_VERSION);
    cJSON *names = cJSON_AddArrayToObject(hello, "games");
    for (const struct game *const *game = games; *game != NULL; game++)
        view_add_row(names, cJSON_CreateString((*game)->name));
    cJSON_AddBoolToObject(hello, "code", server->code[0] != '\0');
    cJSON *limits = cJSON_AddObjectToObject(hello, "limits");
    cJSON_AddNumberToObject(limits, "line", server->limits.line_bytes);
    cJSON_AddStringToObject(hello, "name", player->name);
    return hello;
}

static void add_match_and_game(cJSON *object, const struct table *table)
{
    char variant[VARIANT_NAME_MAX];

    table->match.game->variant_name(&table->match.start, variant);
    cJSON_AddStringToObject(object, "match", table->id);
    cJSON_AddStringToObject(object, "game", table->match.game->name);
    cJSON_AddStringToObject(object, "variant", variant);
}

static const char *seat_name(const struct table *table, enum color color)
{
    const struct player *player = table->seats[color].player;

    return player != NULL ? player->name : NULL;
}

void view_outcome(cJSON *object, struct outcome outcome)
{
    cJSON_AddStringToObject(object, "result", result_text(outcome.result));
    add_string_or_null(object, "reason", reason_text(outcome.reason));
}

void view_date(cJSON *object, time_t date)
{
    char text[32];
    struct tm utc;

    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&date, &utc));
    cJSON_AddStringToObject(object, "date", text);
}

void view_rated(cJSON *object, const double rated[2])
{
    static const char *const members[] = {"white_rating", "black_rating"};

    for (int color = WHITE; color <= BLACK; color++)
        if (rated[color] > 0)
            cJSON_AddNumberToObject(object, members[color], (double)lround(rated[color]));
        else
            cJSON_AddNullToObject(object, members[color]);
}

/* The clock as it was agreed on. */
static void add_time_control(cJSON *object, const struct clock *clock)
{
    if (clock->base_ms == 0) {
        cJSON_AddNullToObject(object, "clock");
        return;
    }
    cJSON *control = cJSON_AddObjectToObject(object, "clock");
    cJSON_AddNumberToObject(control, "base_ms", (double)clock->base_ms);
    cJSON_AddNumberToObject(control, "increment_ms", (double)clock->increment_ms);
}

cJSON *view_state(const struct server *server, const struct table *table, unsigned seats,
                  bool with_legal)
{
    char space[STATE_BYTES_MAX];
    struct json_text json = json_begin(space, sizeof space);

    json_memory_begin();
    state_json_common(&json, server, table);
    state_json_own(&json, table, seats, with_legal);
    return json_finish(&json) ? cJSON_Parse(json.bytes) : NULL;
}

void view_record(cJSON *object, const struct table *table)
{
    const struct match *match = &table->match;
    char text[POSITION_TEXT_MAX];

    add_match_and_game(object, table);
    match->game->format(&match->start, text);
    cJSON_AddStringToObject(object, "start", text);
    cJSON *moves = cJSON_AddArrayToObject(object, "moves");
    cJSON *times = cJSON_AddArrayToObject(object, "times_ms");
    for (int i = 0; i < match->ply_count; i++) {
        char move[MOVE_TEXT_MAX];
        move_format(&match->start, match->plies[i].move, move);
        view_add_row(moves, cJSON_CreateString(move));
        view_add_row(times, cJSON_CreateNumber(match->plies[i].took_ms));
    }
    add_string_or_null(object, "white", seat_name(table, WHITE));
    add_string_or_null(object, "black", seat_name(table, BLACK));
    view_date(object, table->date);
    add_time_control(object, &match->clock);
    view_outcome(object, match->outcome);
    view_rated(object, table->rated);
}

void view_game(cJSON *object, const struct game *game)
{
    cJSON_AddStringToObject(object, "name", game->name);
    cJSON_AddStringToObject(object, "title", game->title);
    cJSON *variants = cJSON_AddArrayToObject(object, "variants");
    for (const char *const *variant = game->variants; *variant != NULL; variant++)
        view_add_row(variants, cJSON_CreateString(*variant));
    cJSON_AddStringToObject(object, "default", game->variants[0]);
    cJSON_AddStringToObject(object, "summary", game->summary);
    cJSON_AddStringToObject(object, "variants_text", game->variants_text);
}

cJSON *view_challenge(const struct table *table, enum color color)
{
    cJSON *event = view_event("challenge");
    const char *from = table->creator != NULL ? table->creator->name : NULL;

    add_match_and_game(event, table);
    add_string_or_null(event, "from", from);
    cJSON_AddStringToObject(event, "color", color_name(color));
    add_time_control(event, &table->match.clock);
    return event;
}

cJSON *view_presence(const struct server *server, const struct seat *seat)
{
    cJSON *event = view_event("presence");
    bool here = player_is_here(seat->player);

    cJSON_AddStringToObject(event, "match", seat->table->id);
    cJSON_AddStringToObject(event, "name", seat->player->name);
    cJSON_AddStringToObject(event, "color", color_name(seat->color));
    cJSON_AddBoolToObject(event, "online", here);
    if (here || seat->table->match.status != MATCH_PLAYING)
        cJSON_AddNullToObject(event, "claim_ms");
    else
        cJSON_AddNumberToObject(event, "claim_ms", (double)referee_claim_ms(server, seat->player));
    return event;
}

cJSON *view_offer(const struct table *table, enum offer what, enum color from, enum offer_news news)
{
    cJSON *event = view_event("offer");

    cJSON_AddStringToObject(event, "match", table->id);
    cJSON_AddStringToObject(event, "what", offer_text(what));
    add_string_or_null(event, "from", seat_name(table, from));
    cJSON_AddStringToObject(event, "color", color_name(from));
    cJSON_AddBoolToObject(event, "open", news == OFFER_MADE);
    if (news != OFFER_MADE)
        cJSON_AddBoolToObject(event, "accepted", news == OFFER_ACCEPTED);
    return event;
}
