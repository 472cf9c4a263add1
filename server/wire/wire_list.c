#include <math.h>
#include <stdlib.h>

#include "common/merit.h"
#include "common/move.h"
#include "wire.h"

/* The name in a seat; NULL for an open one. */
static const char *name_or_null(const struct list_row *row, enum color color)
{
    return row->names[color][0] != '\0' ? row->names[color] : NULL;
}

/* Writes the members of a match's row. */
static void write_match(const struct wire *wire, const struct list_row *row)
{
    const char *white = name_or_null(row, WHITE), *black = name_or_null(row, BLACK);
    const char *status = match_status_text(row->status);
    const struct clock clock = {.base_ms = row->base_ms, .increment_ms = row->increment_ms};

    if (WIRE_TEXT(wire, "%-6s %-8s %s:%s  %s - %s  ply %d, %d watching", row->id, status,
                  row->game->name, row->variant, white != NULL ? white : "(open)",
                  black != NULL ? black : "(open)", row->plies, row->watchers)) {
        wire_time_control_text(wire->out, ", clock ", &clock);
        buffer_puts(wire->out, row->casual ? ", not rated" : "");
        buffer_puts(wire->out, row->broken ? ", damaged" : "");
        buffer_puts(wire->out, row->code ? ", code needed\n" : "\n");
        return;
    }
    wire_game(wire->out, row->id, row->game, row->variant);
    json_string(wire->out, "white", white);
    json_string(wire->out, "black", black);
    wire_display(wire->out, "white_display", row->displays[WHITE]);
    wire_display(wire->out, "black_display", row->displays[BLACK]);
    json_word(wire->out, "status", status);
    json_integer(wire->out, "ply", row->plies);
    json_integer(wire->out, "watchers", row->watchers);
    wire_time_control(wire->out, &clock);
    json_bool(wire->out, "rated", !row->casual);
    json_bool(wire->out, "away", row->away);
    if (row->code)
        json_bool(wire->out, "code", true);
    if (row->broken)
        json_bool(wire->out, "broken", true);
}

/* Says in text that there are more rows. */
static void write_more(const struct wire *wire, int count, int total)
{
    if (wire->text && total > count)
        buffer_printf(wire->out, "(%d of %d: from= passes over some)\n", count, total);
}

void wire_list(const struct wire *wire, const struct list_row rows[], int count, int total)
{
    wire_begin_rows(wire, "list", "matches");
    for (int i = 0; i < count; i++) {
        if (!wire->text)
            json_open(wire->out, NULL, '{');
        write_match(wire, &rows[i]);
        if (!wire->text)
            json_close(wire->out, '}');
    }
    wire_end_rows(wire, total);
    write_more(wire, count, total);
    if (wire->text && count == 0)
        buffer_puts(wire->out, "no open or running matches: new clobber opens one\n");
}

void wire_lobby(const struct wire *wire, const char *what, const struct table *table)
{
    struct list_row row;

    list_row_of_table(&row, table);
    if (!WIRE_TEXT(wire, "%s: ", what))
        json_word(wire_begin(wire, "lobby"), "what", what);
    write_match(wire, &row);
    if (!wire->text)
        wire_end(wire);
}

static void write_seek_text(struct buffer *text, const struct seek *seek)
{
    const struct seek_wish *wish = &seek->wish;

    buffer_printf(text, "%-4s %-24s %s:%s", seek_label(seek->there).text, seek->player->name,
                  wish->game->name, wish->variant);
    wire_time_control_text(text, ", clock ", &wish->clock);
    if (wish->color >= 0)
        buffer_printf(text, ", as %s", color_name(wish->color));
    if (wish->ranged)
        buffer_printf(text, ", against %d-%d", wish->low, wish->high);
    if (wish->bots != BOTS_YES)
        buffer_printf(text, ", %s bots", bots_wanted_text(wish->bots));
    buffer_puts(text, wish->casual ? ", not rated" : "");
    buffer_puts(text, wish->repeat ? ", again and again\n" : "\n");
}

static void write_seek(const struct wire *wire, const struct seek *seek)
{
    const struct seek_wish *wish = &seek->wish;
    struct buffer *json = wire->out;

    if (wire->text) {
        write_seek_text(json, seek);
        return;
    }
    json_open(json, NULL, '{');
    wire_seek_id(json, seek->there);
    json_string(json, "name", seek->player->name);
    wire_display(json, "display", player_display(seek->player));
    json_bool(json, "bot", seek->player->bot);
    if (seek->is_guests)
        json_null(json, "rating");
    else
        json_integer(json, "rating", seek->rating);
    json_word(json, "game", wish->game->name);
    json_word(json, "variant", wish->variant);
    wire_time_control(json, &wish->clock);
    json_word(json, "color", wish->color >= 0 ? color_name(wish->color) : NULL);
    if (wish->ranged) {
        json_open(json, "range", '[');
        json_integer(json, NULL, wish->low);
        json_integer(json, NULL, wish->high);
        json_close(json, ']');
    } else {
        json_null(json, "range");
    }
    json_bool(json, "rated", !wish->casual);
    json_word(json, "bots", bots_wanted_text(wish->bots));
    json_bool(json, "repeat", wish->repeat);
    json_close(json, '}');
}

void wire_seeks(const struct wire *wire, const struct seek *const rows[], int count, int total)
{
    wire_begin_rows(wire, "seeks", "seeks");
    for (int i = 0; i < count; i++)
        write_seek(wire, rows[i]);
    wire_end_rows(wire, total);
    write_more(wire, count, total);
    if (wire->text && count == 0)
        buffer_puts(wire->out, "nobody seeks an opponent: seek clobber does\n");
}

static void write_person_text(struct buffer *text, const struct who_row *row)
{
    buffer_printf(text, "%-24s %s", row->name, row->bot ? "bot, " : "");
    if (row->game != NULL)
        buffer_printf(text, "rated %ld in %s:%s, ", lround(row->rating), row->game->name,
                      row->variant);
    buffer_printf(text, "playing %d\n", row->playing);
}

static void write_person(const struct wire *wire, const struct who_row *row)
{
    struct buffer *json = wire->out;
    char game[64];

    if (wire->text) {
        write_person_text(wire->out, row);
        return;
    }
    json_open(json, NULL, '{');
    json_string(json, "name", row->name);
    wire_display(json, "display", row->display);
    json_bool(json, "bot", row->bot);
    if (row->game != NULL) {
        snprintf(game, sizeof game, "%s:%s", row->game->name, row->variant);
        json_integer(json, "rating", lround(row->rating));
        json_word(json, "rating_game", game);
    } else {
        json_null(json, "rating");
        json_null(json, "rating_game");
    }
    json_integer(json, "playing", row->playing);
    json_close(json, '}');
}

void wire_who(const struct wire *wire, const struct who_row rows[], int count, int total)
{
    wire_begin_rows(wire, "who", "players");
    for (int i = 0; i < count; i++)
        write_person(wire, &rows[i]);
    wire_end_rows(wire, total);
    write_more(wire, count, total);
}

static void write_top(const struct wire *wire, const struct top_row *row)
{
    long value = lround(row->now.rating), deviation = lround(row->now.deviation);
    struct buffer *json = wire->out;

    if (wire->text && row->rank == 1)
        buffer_printf(wire->out, "%s:%s\n", row->game->name, row->variant);
    if (WIRE_TEXT(wire, "%4d  %-24s %4ld +-%-3ld  %s%d %s\n", row->rank, row->name, value,
                  deviation, row->bot ? "bot, " : "", row->matches,
                  row->matches == 1 ? "match" : "matches"))
        return;
    json_open(json, NULL, '{');
    json_integer(json, "rank", row->rank);
    json_string(json, "name", row->name);
    wire_display(json, "display", row->display);
    json_bool(json, "bot", row->bot);
    json_integer(json, "rating", value);
    json_integer(json, "deviation", deviation);
    json_integer(json, "matches", row->matches);
    json_word(json, "game", row->game->name);
    json_word(json, "variant", row->variant);
    json_close(json, '}');
}

void wire_top(const struct wire *wire, const struct top_row rows[], int count)
{
    wire_begin_rows(wire, "top", "players");
    for (int i = 0; i < count; i++)
        write_top(wire, &rows[i]);
    wire_end_rows(wire, -1);
    if (wire->text && count == 0)
        buffer_puts(wire->out, "nobody has a rating there yet: take a name with hello, and play\n");
}

/* Writes a result with its reason, which a match that is not over does not have. */
static void write_outcome_text(struct buffer *text, struct outcome outcome)
{
    const char *reason = reason_text(outcome.reason);

    buffer_printf(text, "%s%s%s", result_text(outcome.result), reason != NULL ? " " : "",
                  reason != NULL ? reason : "");
}

static void write_history(const struct wire *wire, const struct history_row *row)
{
    const char *const names[] = {row->names[WHITE], row->names[BLACK]};
    struct buffer *json = wire->out;

    if (WIRE_TEXT(wire, "%-6s %.10s %s:%s  ", row->id, wire_date_text(row->date).text,
                  row->game->name, row->variant)) {
        wire_rating_after_text(wire->out, names, row->rating_after);
        buffer_puts(wire->out, "  ");
        write_outcome_text(wire->out, row->outcome);
        buffer_printf(wire->out, ", ply %d\n", row->plies);
        return;
    }
    json_open(json, NULL, '{');
    wire_game(json, row->id, row->game, row->variant);
    json_string(json, "white", row->names[WHITE]);
    json_string(json, "black", row->names[BLACK]);
    wire_outcome(json, row->outcome);
    json_word(json, "date", wire_date_text(row->date).text);
    json_integer(json, "plies", row->plies);
    wire_rating_after(json, row->rating_after);
    json_bool(json, "rated", !row->casual);
    json_close(json, '}');
}

void wire_history(const struct wire *wire, const struct player *player,
                  const struct history_row rows[], int count, int total, int archived)
{
    if (!wire->text) {
        json_string(wire_begin(wire, "history"), "name", player->name);
        wire_display(wire->out, "display", player_display(player));
        if (archived > 0)
            json_integer(wire->out, "archived", archived);
        json_open(wire->out, "matches", '[');
    }
    for (int i = 0; i < count; i++)
        write_history(wire, &rows[i]);
    wire_end_rows(wire, total);
    write_more(wire, count, total);
    if (wire->text && count == 0)
        buffer_printf(wire->out, "no finished matches of %s\n", player->name);
    if (wire->text && archived > 0)
        buffer_printf(wire->out, "(and %d in the server's archive)\n", archived);
}

static void write_played_moves(struct buffer *json, const struct match *match)
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

/* The players' own judgement of their moves, if anybody gave any: once the match is over, as it
 * tells their plans. */
static void write_notes(struct buffer *json, const struct match *match)
{
    char text[MOVE_TEXT_MAX];

    if (match->status != MATCH_OVER || !match_has_notes(match))
        return;
    json_open(json, "evals", '[');
    for (int i = 0; i < match->ply_count; i++)
        if (match->plies[i].note.eval != EVAL_NONE)
            json_integer(json, NULL, match->plies[i].note.eval);
        else
            json_null(json, NULL);
    json_close(json, ']');
    json_open(json, "pvs", '[');
    for (int i = 0; i < match->ply_count; i++) {
        json_open(json, NULL, '[');
        for (int j = 0; j < match->plies[i].note.pv_count; j++) {
            move_format(&match->start, match->plies[i].note.pv[j], text);
            json_word(json, NULL, text);
        }
        json_close(json, ']');
    }
    json_close(json, ']');
}

/* Writes the positions after `from` plies and each that follows, before `end`. */
static void write_record_positions(struct buffer *json, const struct match *match, int from,
                                   int end)
{
    struct position position = match->start;
    char text[POSITION_TEXT_MAX];

    json_open(json, "positions", '[');
    for (int ply = 0; ply < end; ply++) {
        if (ply > 0)
            match->game->apply(&position, match->plies[ply - 1].move);
        if (ply < from)
            continue;
        match->game->format(&position, text);
        json_word(json, NULL, text);
    }
    json_close(json, ']');
}

enum { MOVES_A_LINE = 8 };

static void write_played_moves_text(struct buffer *text, const struct match *match)
{
    char move[MOVE_TEXT_MAX];

    for (int ply = 0; ply < match->ply_count; ply++) {
        move_format(&match->start, match->plies[ply].move, move);
        buffer_printf(text, "%s%d. %s%s", ply % MOVES_A_LINE == 0 ? "  " : " ", ply + 1, move,
                      (ply + 1) % MOVES_A_LINE == 0 ? "\n" : "");
    }
    buffer_puts(text, match->ply_count % MOVES_A_LINE != 0 ? "\n" : "");
}

static void write_record_text(struct buffer *text, const struct table *table)
{
    const char *const names[] = {seat_name(&table->seats[WHITE]), seat_name(&table->seats[BLACK])};
    const struct match *match = &table->match;
    char start[POSITION_TEXT_MAX], variant[VARIANT_NAME_MAX];

    match->game->variant_name(&match->start, variant);
    match->game->format(&match->start, start);
    buffer_printf(text, "match %s, %s %s, %s: ", table->id, match->game->name, variant,
                  wire_date_text(table->date).text);
    wire_rating_after_text(text, names, table->rating_after);
    wire_time_control_text(text, ", clock ", &match->clock);
    buffer_puts(text, table->casual ? ", not rated" : "");
    buffer_printf(text, "\nstart: %s\n", start);
    write_played_moves_text(text, match);
    write_outcome_text(text, match->outcome);
    buffer_puts(text, "\n");
    if (table->broken != NULL)
        buffer_printf(text, "damaged: %s\n", table->broken);
}

static void write_record(struct buffer *json, const struct table *table, int from, int positions)
{
    const struct match *match = &table->match;
    char start[POSITION_TEXT_MAX], variant[VARIANT_NAME_MAX];

    match->game->variant_name(&match->start, variant);
    match->game->format(&match->start, start);
    wire_game(json, table->id, match->game, variant);
    json_word(json, "start", start);
    write_played_moves(json, match);
    write_notes(json, match);
    if (positions > 0)
        write_record_positions(json, match, from, from + positions);
    json_string(json, "white", seat_name(&table->seats[WHITE]));
    json_string(json, "black", seat_name(&table->seats[BLACK]));
    json_word(json, "date", wire_date_text(table->date).text);
    wire_time_control(json, &match->clock);
    wire_outcome(json, match->outcome);
    wire_rating_after(json, table->rating_after);
    json_bool(json, "rated", !table->casual);
    wire_pairing(json, table);
    if (table->broken != NULL)
        json_string(json, "broken", table->broken);
}

void wire_record(const struct wire *wire, const struct table *table, int from, int positions)
{
    if (wire->text) {
        write_record_text(wire->out, table);
        return;
    }
    write_record(wire_begin(wire, "record"), table, from, positions);
    wire_end(wire);
}

static void write_records_text(struct buffer *text, const struct table *const rows[], int count,
                               int64_t next)
{
    for (int i = 0; i < count; i++)
        write_record_text(text, rows[i]);
    if (next != 0)
        buffer_printf(text, "(after=%lld shows what follows)\n", (long long)next);
    else
        buffer_puts(text, "(there are no more)\n");
}

void wire_records(const struct wire *wire, const struct table *const rows[], int count,
                  int64_t next)
{
    if (wire->text) {
        write_records_text(wire->out, rows, count, next);
        return;
    }
    struct buffer *json = wire_begin(wire, "records");
    json_open(json, "matches", '[');
    for (int i = 0; i < count; i++) {
        json_open(json, NULL, '{');
        write_record(json, rows[i], -1, 0);
        json_close(json, '}');
    }
    json_close(json, ']');
    if (next != 0)
        json_integer(json, "next", next);
    else
        json_null(json, "next");
    wire_end(wire);
}

static const char *const review_marks[] = {
    [REVIEW_WELL] = "", [REVIEW_MISTAKE] = "?", [REVIEW_BLUNDER] = "??"};

/* Says why the best move of a position is good. */
static void tell_merit(const struct game *game, const struct position *position,
                       const struct review_row *row, char text[MERIT_MAX])
{
    const struct best_line line = {
        .moves = row->line, .plies = row->line_plies, .eval = row->eval, .exact = row->exact};

    merit_tell(game, position, &line, text);
}

static void write_review_text(struct buffer *text, int ply, const struct game *game,
                              const struct position *position, const struct review_row *row)
{
    const char *mark = review_marks[row->mark];
    char why[MERIT_MAX];

    buffer_printf(text, "%4d. %-6s %3d%% %-2s", ply + 1, row->move, row->chance, mark);
    if (*mark != '\0' && row->line_plies > 0) {
        tell_merit(game, position, row, why);
        buffer_printf(text, " better: %s%s%s", row->line[0], *why != '\0' ? " " : "", why);
    }
    buffer_puts(text, row->last_win ? ", the last moment to win\n" : "\n");
}

/* Writes a move; null for an empty text. */
static void write_move_or_null(struct buffer *json, const char *member, const char *move)
{
    if (move[0] != '\0')
        json_string(json, member, move);
    else
        json_null(json, member);
}

/* Writes how good the position is, and the best line. */
static void write_verdict(struct buffer *json, const struct game *game,
                          const struct position *position, const struct review_row *row)
{
    char why[MERIT_MAX];

    tell_merit(game, position, row, why);
    json_integer(json, "eval_cp", row->eval);
    json_integer(json, "chance", row->chance);
    write_move_or_null(json, "best", row->line_plies > 0 ? row->line[0] : "");
    if (*why != '\0')
        json_string(json, "why", why);
    json_open(json, "pv", '[');
    for (int i = 0; i < row->line_plies; i++)
        json_string(json, NULL, row->line[i]);
    json_close(json, ']');
}

static void write_review_row(struct buffer *json, int ply, const struct game *game,
                             const struct position *position, const struct review_row *row)
{
    json_open(json, NULL, '{');
    json_integer(json, "ply", ply);
    write_move_or_null(json, "move", row->move);
    write_verdict(json, game, position, row);
    json_integer(json, "loss_cp", row->loss);
    json_word(json, "mark", review_marks[row->mark]);
    json_bool(json, "exact", row->exact);
    json_bool(json, "deep", row->deep);
    if (row->last_win)
        json_bool(json, "last_win", true);
    json_close(json, '}');
}

void wire_review(const struct wire *wire, const struct table *table, const struct review_row rows[],
                 int count)
{
    const struct match *match = &table->match;
    const struct game *game = match->game;
    struct position position = match->start;
    char variant[VARIANT_NAME_MAX];

    game->variant_name(&match->start, variant);
    bool text = WIRE_TEXT(wire, "match %s, %s %s: white's chance to win before each move\n",
                          table->id, game->name, variant);
    if (!text) {
        struct buffer *json = wire_begin(wire, "review");
        wire_game(json, table->id, game, variant);
        json_open(json, "plies", '[');
    }
    for (int i = 0; i < count; i++) {
        if (!text)
            write_review_row(wire->out, i, game, &position, &rows[i]);
        else if (rows[i].move[0] != '\0') /* the end has no move */
            write_review_text(wire->out, i, game, &position, &rows[i]);
        if (i < match->ply_count)
            game->apply(&position, match->plies[i].move);
    }
    if (text)
        return;
    json_close(wire->out, ']');
    wire_end(wire);
}

static void write_analysis_text(struct buffer *text, const struct game *game,
                                const struct position *position, const struct review_row *row)
{
    char why[MERIT_MAX];
    int plies = EVAL_WIN - abs(row->eval);

    tell_merit(game, position, row, why);
    if (abs(row->eval) < EVAL_CERTAIN)
        buffer_printf(text, "white's chance to win: %d%%", row->chance);
    else if (plies > 0)
        buffer_printf(text, "%s wins, in at most %d %s", color_name(row->eval < 0), plies,
                      plies == 1 ? "ply" : "plies");
    else
        buffer_printf(text, "%s has won", color_name(row->eval < 0));
    if (row->line_plies > 0)
        buffer_printf(text, "; best: %s%s%s", row->line[0], *why != '\0' ? " " : "", why);
    for (int i = 1; i < row->line_plies; i++)
        buffer_printf(text, "%s %s", i == 1 ? "; then" : "", row->line[i]);
    if (row->move[0] != '\0')
        buffer_printf(text, "; %s loses %d %s", row->move, row->loss, review_marks[row->mark]);
    buffer_puts(text, "\n");
}

void wire_analysis(const struct wire *wire, const struct game *game,
                   const struct position *position, const struct review_row *row)
{
    char variant[VARIANT_NAME_MAX], text[POSITION_TEXT_MAX];
    bool certain = abs(row->eval) >= EVAL_CERTAIN;

    if (wire->text) {
        write_analysis_text(wire->out, game, position, row);
        return;
    }
    game->variant_name(position, variant);
    game->format(position, text);
    struct buffer *json = wire_begin(wire, "analysis");
    json_word(json, "game", game->name);
    json_word(json, "variant", variant);
    json_word(json, "position", text);
    json_word(json, "turn", color_name(position->side));
    write_verdict(json, game, position, row);
    json_word(json, "winner", certain ? color_name(row->eval < 0) : NULL);
    if (certain)
        json_integer(json, "plies", EVAL_WIN - abs(row->eval));
    else
        json_null(json, "plies");
    json_bool(json, "exact", row->exact);
    if (row->move[0] != '\0') {
        json_string(json, "move", row->move);
        json_integer(json, "loss_cp", row->loss);
        json_word(json, "mark", review_marks[row->mark]);
    }
    wire_end(wire);
}
