#include "wire_list.h"

#include <math.h>

static const char *seat_name(const struct table *table, enum color color)
{
    const struct player *player = table->seats[color].player;

    return player != NULL ? player->name : NULL;
}

/* The members of a match's row. */
static void write_row(struct buffer *json, const struct table *table)
{
    const struct match *match = &table->match;
    char variant[VARIANT_NAME_MAX];

    match->game->variant_name(&match->start, variant);
    wire_game(json, table->id, match->game, variant);
    json_string(json, "white", seat_name(table, WHITE));
    json_string(json, "black", seat_name(table, BLACK));
    json_word(json, "status", match_status_text(match->status));
    json_integer(json, "ply", match->ply_count);
    json_integer(json, "watchers", table->watcher_count);
    wire_time_control(json, &match->clock);
}

static void write_row_text(struct buffer *text, const struct table *table)
{
    const struct match *match = &table->match;
    const char *white = seat_name(table, WHITE), *black = seat_name(table, BLACK);
    char variant[VARIANT_NAME_MAX];

    match->game->variant_name(&match->start, variant);
    buffer_printf(text, "%-6s %-8s %s:%s  %s - %s  ply %d, %d watching", table->id,
                  match_status_text(match->status), match->game->name, variant,
                  white != NULL ? white : "(open)", black != NULL ? black : "(open)",
                  match->ply_count, table->watcher_count);
    wire_time_control_text(text, ", clock ", &match->clock);
    buffer_puts(text, "\n");
}

static void end_rows(const struct wire *wire, int total)
{
    json_close(wire->out, ']');
    json_integer(wire->out, "total", total);
    wire_end(wire);
}

/* Says in text that there are more rows than those written. */
static void write_more_text(struct buffer *text, int count, int total)
{
    if (total > count)
        buffer_printf(text, "(the newest %d of %d)\n", count, total);
}

void wire_list(const struct wire *wire, const struct table *const tables[], int count, int total)
{
    struct buffer *out = wire->out;

    if (wire->text) {
        for (int i = 0; i < count; i++)
            write_row_text(out, tables[i]);
        write_more_text(out, count, total);
        buffer_puts(out, count == 0 ? "no open or running matches: new clobber opens one\n" : "");
        return;
    }
    json_open(wire_begin(wire, "list"), "matches", '[');
    for (int i = 0; i < count; i++) {
        json_open(out, NULL, '{');
        write_row(out, tables[i]);
        json_close(out, '}');
    }
    end_rows(wire, total);
}

void wire_lobby(const struct wire *wire, const char *what, const struct table *table)
{
    if (wire->text) {
        buffer_printf(wire->out, "%s: ", what);
        write_row_text(wire->out, table);
        return;
    }
    json_word(wire_begin(wire, "lobby"), "what", what);
    write_row(wire->out, table);
    wire_end(wire);
}

static void write_person(struct buffer *json, const struct player *player)
{
    const struct rating *rating = rating_main(&player->ratings);
    char game[64];

    json_open(json, NULL, '{');
    json_string(json, "name", player->name);
    json_bool(json, "bot", player->bot);
    if (rating != NULL) {
        snprintf(game, sizeof game, "%s:%s", rating->game->name, rating->variant);
        json_integer(json, "rating", lround(rating->now.rating));
        json_word(json, "rating_game", game);
    } else {
        json_null(json, "rating");
        json_null(json, "rating_game");
    }
    json_integer(json, "playing", player->playing);
    json_close(json, '}');
}

static void write_person_text(struct buffer *text, const struct player *player)
{
    const struct rating *rating = rating_main(&player->ratings);

    buffer_printf(text, "%-24s %s", player->name, player->bot ? "bot, " : "");
    if (rating != NULL)
        buffer_printf(text, "rated %ld in %s:%s, ", lround(rating->now.rating), rating->game->name,
                      rating->variant);
    buffer_printf(text, "playing %d\n", player->playing);
}

void wire_who(const struct wire *wire, const struct player *const players[], int count, int total)
{
    if (!wire->text)
        json_open(wire_begin(wire, "who"), "players", '[');
    for (int i = 0; i < count; i++)
        if (wire->text)
            write_person_text(wire->out, players[i]);
        else
            write_person(wire->out, players[i]);
    if (!wire->text)
        end_rows(wire, total);
}

static void write_top(struct buffer *json, const struct top_row *row)
{
    const struct rating *rating = row->rating;

    json_open(json, NULL, '{');
    json_integer(json, "rank", row->rank);
    json_string(json, "name", row->player->name);
    json_bool(json, "bot", row->player->bot);
    json_integer(json, "rating", lround(rating->now.rating));
    json_integer(json, "deviation", lround(rating->now.deviation));
    json_integer(json, "matches", rating->matches);
    json_word(json, "game", rating->game->name);
    json_word(json, "variant", rating->variant);
    json_close(json, '}');
}

static void write_top_text(struct buffer *text, const struct top_row *row)
{
    const struct rating *rating = row->rating;

    if (row->rank == 1)
        buffer_printf(text, "%s:%s\n", rating->game->name, rating->variant);
    buffer_printf(text, "%4d  %-24s %4ld +-%-3ld  %s%d %s\n", row->rank, row->player->name,
                  lround(rating->now.rating), lround(rating->now.deviation),
                  row->player->bot ? "bot, " : "", rating->matches,
                  rating->matches == 1 ? "match" : "matches");
}

void wire_top(const struct wire *wire, const struct top_row rows[], int count)
{
    if (wire->text) {
        for (int i = 0; i < count; i++)
            write_top_text(wire->out, &rows[i]);
        if (count == 0)
            buffer_puts(wire->out,
                        "nobody has a rating there yet: take a name with hello, and play\n");
        return;
    }
    json_open(wire_begin(wire, "top"), "players", '[');
    for (int i = 0; i < count; i++)
        write_top(wire->out, &rows[i]);
    json_close(wire->out, ']');
    wire_end(wire);
}

static void write_history(struct buffer *json, const struct history_row *row)
{
    json_open(json, NULL, '{');
    wire_game(json, row->id, row->game, row->variant);
    json_string(json, "white", row->names[WHITE]);
    json_string(json, "black", row->names[BLACK]);
    wire_outcome(json, row->outcome);
    wire_date(json, row->date);
    json_integer(json, "plies", row->plies);
    wire_rated(json, row->rated);
    json_close(json, '}');
}

static void write_history_text(struct buffer *text, const struct history_row *row)
{
    const char *const names[] = {row->names[WHITE], row->names[BLACK]};
    const char *reason = reason_text(row->outcome.reason);

    buffer_printf(text, "%-6s %.10s %s:%s  ", row->id, wire_date_text(row->date).text,
                  row->game->name, row->variant);
    wire_rated_text(text, names, row->rated);
    buffer_printf(text, "  %s %s, ply %d\n", result_text(row->outcome.result),
                  reason != NULL ? reason : "", row->plies);
}

void wire_history(const struct wire *wire, const char *name, const struct history_row rows[],
                  int count, int total)
{
    if (wire->text) {
        for (int i = 0; i < count; i++)
            write_history_text(wire->out, &rows[i]);
        write_more_text(wire->out, count, total);
        if (count == 0)
            buffer_printf(wire->out, "no finished matches of %s\n", name);
        return;
    }
    json_string(wire_begin(wire, "history"), "name", name);
    json_open(wire->out, "matches", '[');
    for (int i = 0; i < count; i++)
        write_history(wire->out, &rows[i]);
    end_rows(wire, total);
}
