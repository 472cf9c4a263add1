#include "list_json.h"

static void write_seat(struct json_text *json, const char *name, const struct seat *seat)
{
    json_word(json, name, seat->player != NULL ? seat->player->name : NULL);
}

/* The clock as it was agreed on. */
static void write_time_control(struct json_text *json, const struct clock *clock)
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

void list_row_json(struct json_text *json, const struct table *table)
{
    const struct match *match = &table->match;
    char variant[VARIANT_NAME_MAX];

    match->game->variant_name(&match->start, variant);
    json_word(json, "match", table->id);
    json_word(json, "game", match->game->name);
    json_word(json, "variant", variant);
    write_seat(json, "white", &table->seats[WHITE]);
    write_seat(json, "black", &table->seats[BLACK]);
    json_word(json, "status", match_status_text(match->status));
    json_integer(json, "ply", match->ply_count);
    json_integer(json, "watchers", table->watcher_count);
    write_time_control(json, &match->clock);
}
