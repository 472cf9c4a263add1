#include "wire_record.h"

#include "common/move.h"

static void write_moves(struct buffer *json, const struct match *match)
{
    char text[MOVE_TEXT_MAX];

    json_open(json, "moves", '[');
    for (int i = 0; i < match->ply_count; i++) {
        move_format(&match->start, match->plies[i].move, text);
        json_word(json, NULL, text);
    }
    json_close(json, ']');
    json_open(json, "times_ms", '[');
    for (int i = 0; i < match->ply_count; i++)
        json_integer(json, NULL, match->plies[i].took_ms);
    json_close(json, ']');
}

enum { MOVES_A_LINE = 8 };

static void write_moves_text(struct buffer *text, const struct match *match)
{
    char move[MOVE_TEXT_MAX];

    for (int ply = 0; ply < match->ply_count; ply++) {
        move_format(&match->start, match->plies[ply].move, move);
        buffer_printf(text, "%s%d. %s%s", ply % MOVES_A_LINE == 0 ? "  " : " ", ply + 1, move,
                      (ply + 1) % MOVES_A_LINE == 0 ? "\n" : "");
    }
    buffer_puts(text, match->ply_count % MOVES_A_LINE != 0 ? "\n" : "");
}

static void write_record_text(struct buffer *text, const struct record *record, const char *variant,
                              const char *start)
{
    const struct match *match = record->match;
    const char *reason = reason_text(match->outcome.reason);

    buffer_printf(text, "match %s, %s %s, %s: ", record->id, match->game->name, variant,
                  wire_date_text(record->date).text);
    wire_rated_text(text, record->names, record->rated);
    wire_time_control_text(text, ", clock ", &match->clock);
    buffer_printf(text, "\nstart: %s\n", start);
    write_moves_text(text, match);
    buffer_printf(text, "%s%s%s\n", result_text(match->outcome.result), reason != NULL ? " " : "",
                  reason != NULL ? reason : "");
}

void wire_record(const struct wire *wire, const struct record *record)
{
    const struct match *match = record->match;
    char start[POSITION_TEXT_MAX], variant[VARIANT_NAME_MAX];

    match->game->variant_name(&match->start, variant);
    match->game->format(&match->start, start);
    if (wire->text) {
        write_record_text(wire->out, record, variant, start);
        return;
    }
    struct buffer *json = wire_begin(wire, "record");
    wire_game(json, record->id, match->game, variant);
    json_word(json, "start", start);
    write_moves(json, match);
    json_string(json, "white", record->names[WHITE]);
    json_string(json, "black", record->names[BLACK]);
    wire_date(json, record->date);
    wire_time_control(json, &match->clock);
    wire_outcome(json, match->outcome);
    wire_rated(json, record->rated);
    wire_end(wire);
}
