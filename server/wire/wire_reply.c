#include <string.h>

#include "wire.h"

static void write_ok_text(struct buffer *text, const char *verb, const struct ok *ok)
{
    if (strcmp(verb, "hello") == 0)
        buffer_printf(text, "you are %s; to come back after a lost connection: hello %s token=%s\n",
                      ok->name, ok->name, ok->token != NULL ? ok->token : "");
    else if (strcmp(verb, "new") == 0)
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

static void write_game(const struct wire *wire, const struct game *game)
{
    struct buffer *out = wire->out;

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

static void write_help(const struct wire *wire, const struct help_row *row)
{
    if (WIRE_TEXT(wire, "%s%s%s\n    %s\n", row->verb, row->usage[0] != '\0' ? " " : "", row->usage,
                  row->summary))
        return;
    json_open(wire->out, NULL, '{');
    json_word(wire->out, "verb", row->verb);
    json_string(wire->out, "usage", row->usage);
    json_string(wire->out, "summary", row->summary);
    json_close(wire->out, '}');
}

void wire_help(const struct wire *wire, const struct help_row *rows, size_t count)
{
    wire_begin_rows(wire, "help", "commands");
    for (size_t i = 0; i < count; i++)
        write_help(wire, &rows[i]);
    wire_end_rows(wire, -1);
}
