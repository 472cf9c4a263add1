#include "wire.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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

void wire_rated(struct buffer *json, const double rated[2])
{
    static const char *const members[] = {"white_rating", "black_rating"};

    for (int color = WHITE; color <= BLACK; color++)
        if (rated[color] > 0)
            json_integer(json, members[color], lround(rated[color]));
        else
            json_null(json, members[color]);
}

void wire_rated_text(struct buffer *text, const char *const names[2], const double rated[2])
{
    for (int color = WHITE; color <= BLACK; color++) {
        buffer_puts(text, color == BLACK ? " - " : "");
        buffer_puts(text, names[color] != NULL ? names[color] : "(open)");
        if (rated[color] > 0)
            buffer_printf(text, " (%ld)", lround(rated[color]));
    }
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
