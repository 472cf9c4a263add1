#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/move.h"
#include "common/position_text.h"
#include "common/puzzle.h"
#include "wire.h"

/* Writes the members "turn", "position" and "board", and "check" or "score" where the game has
 * them. */
static void write_board(struct buffer *json, const struct game *game,
                        const struct position *position)
{
    char text[POSITION_TEXT_MAX];
    struct board board;

    game->format(position, text);
    game->board(position, &board);
    json_word(json, "turn", color_name(position->side));
    json_word(json, "position", text);
    json_open(json, "board", '[');
    for (int rank = board.height; rank-- > 0;)
        json_quoted(json, NULL, board.cell + rank * board.width, (size_t)board.width);
    json_close(json, ']');
    if (game->check != NULL)
        json_bool(json, "check", game->check(position));
    if (game->score != NULL) {
        int points[2];
        game->score(position, points);
        json_open(json, "score", '{');
        json_integer(json, "white", points[WHITE]);
        json_integer(json, "black", points[BLACK]);
        json_close(json, '}');
    }
}

/* Writes moves of a position as an array of strings. */
static void write_move_list(struct buffer *json, const char *name, const struct position *position,
                            const struct move moves[], int count)
{
    json_open(json, name, '[');
    for (int i = 0; i < count; i++) {
        char text[MOVE_TEXT_MAX];
        move_format(position, moves[i], text);
        json_word(json, NULL, text);
    }
    json_close(json, ']');
}

static void write_player(struct buffer *json, const struct instant *instant,
                         const struct seat *seat, const char *variant)
{
    const struct player *player = seat->player;
    const char *color = color_name(seat->color);
    struct glicko glicko;

    if (player == NULL) {
        json_null(json, color);
        return;
    }
    json_open(json, color, '{');
    json_quoted(json, "name", player->name, strlen(player->name)); /* names need no escapes */
    wire_display(json, "display", player_display(player));
    json_bool(json, "bot", player->bot);
    if (player_glicko(player, seat->table->match.game, variant, &glicko)) {
        json_integer(json, "rating", lround(glicko.rating));
        json_integer(json, "rating_deviation", lround(glicko.deviation));
    } else {
        json_null(json, "rating");
        json_null(json, "rating_deviation");
    }
    json_bool(json, "online", player->here);
    json_bool(json, "seated", seat->joined);
    int64_t claim_ms = seat_claim_ms(seat, instant);
    if (claim_ms >= 0)
        json_integer(json, "claim_ms", claim_ms);
    int64_t stall_ms = seat_stall_ms(seat, instant);
    if (stall_ms >= 0 && stall_ms <= stall_told_ms(instant))
        json_integer(json, "stall_ms", stall_ms);
    json_close(json, '}');
}

static void write_player_text(struct buffer *text, const struct instant *instant,
                              const struct seat *seat)
{
    const struct player *player = seat->player;

    if (player == NULL) {
        buffer_printf(text, "open (join %s %s)", seat->table->id, color_name(seat->color));
        return;
    }
    buffer_printf(text, "%s%s", player->name, seat->joined ? "" : " (asked)");
    int64_t stall_ms = seat_stall_ms(seat, instant);
    if (stall_ms >= 0 && stall_ms <= stall_told_ms(instant))
        buffer_printf(text, " (%lld h left for this move)", (long long)(stall_ms / 3600000));
    if (player->here)
        return;
    buffer_puts(text, " (away");
    wire_claim_text(text, seat_claim_ms(seat, instant));
    buffer_puts(text, ")");
}

/* Writes the last move; false when none was played. */
static bool last_move(const struct match *match, char text[MOVE_TEXT_MAX])
{
    if (match->ply_count == 0)
        return false;
    move_format(&match->position, match->plies[match->ply_count - 1].move, text);
    return true;
}

/* The clock as of now. */
static void write_clock_state(struct buffer *json, const struct clock *clock, int64_t now_ms)
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

/* Writes a time: 4:32, 1:05:00, or 0:19.4 below 20 seconds. Rounds down, but not to zero. */
static void write_time_text(struct buffer *text, int64_t left_ms)
{
    long long tenths = left_ms / 100, seconds = tenths / 10;

    if (left_ms > 0 && tenths == 0)
        tenths = 1;
    if (seconds >= 3600)
        buffer_printf(text, "%lld:%02lld:%02lld", seconds / 3600, seconds / 60 % 60, seconds % 60);
    else if (seconds >= 20)
        buffer_printf(text, "%lld:%02lld", seconds / 60, seconds % 60);
    else
        buffer_printf(text, "0:%02lld.%lld", seconds, tenths % 10);
}

static void write_clock_text(struct buffer *text, const struct match *match, int64_t now_ms)
{
    const struct clock *clock = &match->clock;

    if (clock->base_ms == 0)
        return;
    buffer_puts(text, "clock: white ");
    write_time_text(text, clock_left_ms(clock, WHITE, now_ms));
    buffer_puts(text, "  black ");
    write_time_text(text, clock_left_ms(clock, BLACK, now_ms));
    buffer_puts(text, match->status == MATCH_OVER || clock->runs
                          ? "\n"
                          : "  (starts with the first move)\n");
}

static void write_offers(const struct wire *wire, const struct table *table)
{
    for (int what = 0; what < OFFER_KINDS; what++)
        for (int color = WHITE; color <= BLACK; color++) {
            const char *from = seat_name(&table->seats[color]);
            if (!table->match.offers[what][color] ||
                WIRE_TEXT(wire, "%s offers: %s\n", from != NULL ? from : "", offer_text(what)))
                continue;
            json_open(wire->out, NULL, '{');
            json_word(wire->out, "what", offer_text(what));
            json_string(wire->out, "from", from);
            json_word(wire->out, "color", color_name(color));
            json_close(wire->out, '}');
        }
}

/* The hands and the score, in the games that have them. */
static void write_hands_text(struct buffer *text, const struct match *match)
{
    char position[POSITION_TEXT_MAX];
    int points[2];

    match->game->format(&match->position, position);
    const char *hand = strchr(position, '[');
    if (hand != NULL)
        buffer_printf(text, "in hand: %.*s\n", (int)strcspn(hand + 1, "]"), hand + 1);
    if (match->game->score == NULL)
        return;
    match->game->score(&match->position, points);
    buffer_printf(text, "score: white %d, black %d\n", points[WHITE], points[BLACK]);
}

static const char *winner_text(enum result result)
{
    static const char *const texts[] = {[RESULT_NONE] = "no result",
                                        [RESULT_WHITE] = "white wins",
                                        [RESULT_BLACK] = "black wins",
                                        [RESULT_DRAW] = "a draw"};

    return texts[result];
}

static void write_turn_text(struct buffer *text, const struct match *match, unsigned seats)
{
    enum color side = match->position.side;
    bool check = match->game->check != NULL && match->game->check(&match->position);

    if (match->status == MATCH_OVER)
        buffer_printf(text, "over: %s, %s (%s)\n", result_text(match->outcome.result),
                      winner_text(match->outcome.result), reason_text(match->outcome.reason));
    else if (match->status == MATCH_OPEN)
        buffer_puts(text, "waiting for the players\n");
    else
        buffer_printf(text, "%s to move%s%s\n", color_name(side), check ? ", in check" : "",
                      seats & 1u << side ? ": your move" : "");
}

static void write_common_text(const struct wire *wire, const struct instant *instant,
                              const struct table *table, const char *variant)
{
    buffer_printf(wire->out, "\nmatch %s  %s %s  ply %d%s\nwhite (capitals): ", table->id,
                  table->match.game->name, variant, table->match.ply_count,
                  table->casual ? "  not rated" : "");
    write_player_text(wire->out, instant, &table->seats[WHITE]);
    buffer_puts(wire->out, "   black: ");
    write_player_text(wire->out, instant, &table->seats[BLACK]);
    buffer_puts(wire->out, "\n\n");
}

void wire_pairing(struct buffer *json, const struct table *table)
{
    char id[TOURNAMENT_ID_MAX];

    if (table->tournament == 0)
        return;
    snprintf(id, sizeof id, "t%" PRId64, table->tournament);
    json_word(json, "tournament", id);
    json_integer(json, "round", table->round);
}

void wire_state_common(const struct wire *wire, const struct instant *instant,
                       const struct table *table)
{
    const struct match *match = &table->match;
    struct buffer *json = wire->out;
    char variant[VARIANT_NAME_MAX], last[MOVE_TEXT_MAX];

    match->game->variant_name(&match->start, variant);
    if (wire->text) {
        write_common_text(wire, instant, table, variant);
        return;
    }
    json_open(json, NULL, '{');
    json_word(json, "type", "state");
    wire_game(json, table->id, match->game, variant);
    json_word(json, "status", match_status_text(match->status));
    json_integer(json, "ply", match->ply_count);
    write_board(json, match->game, &match->position);
    json_word(json, "last", last_move(match, last) ? last : NULL);
    json_open(json, "players", '{');
    for (int color = WHITE; color <= BLACK; color++)
        write_player(json, instant, &table->seats[color], variant);
    json_close(json, '}');
    write_clock_state(json, &match->clock, instant->now_ms);
    json_open(json, "offers", '[');
    write_offers(wire, table);
    json_close(json, ']');
    wire_outcome(json, match->outcome);
    json_bool(json, "rated", !table->casual);
    wire_pairing(json, table);
    if (table->broken != NULL)
        json_string(json, "broken", table->broken);
}

static void write_own_text(const struct wire *wire, const struct instant *instant,
                           const struct table *table, unsigned seats)
{
    const struct match *match = &table->match;
    char last[MOVE_TEXT_MAX], drawn[BOARD_TEXT_MAX];
    struct board board;

    match->game->board(&match->position, &board);
    board_text(&board, seats == SEATS_BLACK, drawn);
    buffer_printf(wire->out, "%s\n", drawn);
    write_hands_text(wire->out, match);
    write_clock_text(wire->out, match, instant->now_ms);
    if (last_move(match, last))
        buffer_printf(wire->out, "last move: %s\n", last);
    if (table->broken != NULL)
        buffer_printf(wire->out, "damaged, and read-only: %s\n", table->broken);
    else
        write_turn_text(wire->out, match, seats);
    write_offers(wire, table);
}

void wire_state_own(const struct wire *wire, const struct instant *instant,
                    const struct table *table, unsigned seats, bool with_legal)
{
    static const char *const you[] = {NULL, "white", "black", "both"};
    const struct match *match = &table->match;

    if (wire->text) {
        write_own_text(wire, instant, table, seats);
        return;
    }
    wire_id(wire);
    json_word(wire->out, "you", you[seats]);
    if (with_legal && match->status == MATCH_PLAYING && seats & 1u << match->position.side) {
        struct move moves[MOVES_MAX];
        int count = match->game->legal(&match->position, moves);
        write_move_list(wire->out, "legal", &match->position, moves, count);
    }
    wire_end(wire);
}

void wire_state(const struct wire *wire, const struct instant *instant, const struct table *table,
                unsigned seats, bool with_legal)
{
    wire_state_common(wire, instant, table);
    wire_state_own(wire, instant, table, seats, with_legal);
}

/* Writes moves in lines of up to 76 columns. */
static void write_move_list_text(struct buffer *text, const struct position *position,
                                 const struct move moves[], int count)
{
    size_t column = 0;

    for (int i = 0; i < count; i++) {
        char move[MOVE_TEXT_MAX];
        move_format(position, moves[i], move);
        size_t length = strlen(move);
        if (column + length > 74) {
            buffer_puts(text, "\n");
            column = 0;
        }
        buffer_printf(text, "%s%s", column == 0 ? "  " : " ", move);
        column += length + 1;
    }
    buffer_puts(text, column > 0 ? "\n" : "");
}

void wire_moves(const struct wire *wire, const struct table *table, int square)
{
    const struct match *match = &table->match;
    const struct position *position = &match->position;
    struct move moves[MOVES_MAX];
    int count = match->status == MATCH_OVER ? 0 : moves_from(match->game, position, square, moves);

    if (WIRE_TEXT(wire, "%d moves of %s in match %s:\n", count, color_name(position->side),
                  table->id)) {
        write_move_list_text(wire->out, position, moves, count);
        return;
    }
    struct buffer *json = wire_begin(wire, "moves");
    json_word(json, "match", table->id);
    json_integer(json, "ply", match->ply_count);
    json_word(json, "turn", color_name(position->side));
    write_move_list(json, "moves", position, moves, count);
    wire_end(wire);
}

static void write_position(struct buffer *json, const char *name, const struct game *game,
                           const struct position *position)
{
    char text[POSITION_TEXT_MAX];

    game->format(position, text);
    json_word(json, name, text);
}

/* Writes the moves that do what a lesson asks for, and what each of them leads to. */
static void write_answers(struct buffer *json, const struct game *game, const struct lesson *lesson,
                          const struct position *start)
{
    struct move right[MOVES_MAX];
    int count = 0;

    for (const char *at = lesson->moves; *at != '\0'; at += strspn(at, " ")) {
        char text[MOVE_TEXT_MAX];
        size_t length = strcspn(at, " ");
        struct cause cause;
        snprintf(text, sizeof text, "%.*s", (int)length, at);
        count += move_parse(game, start, text, &right[count], &cause);
        at += length;
    }
    write_move_list(json, "moves", start, right, count);
    json_open(json, "positions", '[');
    for (int i = 0; i < count; i++) {
        struct position after = *start;
        game->apply(&after, right[i]);
        write_position(json, NULL, game, &after);
    }
    json_close(json, ']');
}

static void write_lesson(const struct wire *wire, const struct game *game,
                         const struct lesson *lesson)
{
    struct position start = {.side = WHITE};
    char variant[VARIANT_NAME_MAX], drawn[BOARD_TEXT_MAX];
    struct move legal[MOVES_MAX];
    struct board board;
    struct cause cause;

    game->parse(lesson->variant, lesson->position, &start, &cause);
    game->board(&start, &board);
    board_text(&board, false, drawn);
    if (WIRE_TEXT(wire, "%s: %s\n%s  Answer: %s\n  %s\n", lesson->title, lesson->task, drawn,
                  lesson->moves, lesson->done))
        return;
    game->variant_name(&start, variant);
    json_open(wire->out, NULL, '{');
    json_string(wire->out, "title", lesson->title);
    json_string(wire->out, "task", lesson->task);
    json_word(wire->out, "variant", variant);
    json_word(wire->out, "position", lesson->position);
    write_move_list(wire->out, "legal", &start, legal, game->legal(&start, legal));
    write_answers(wire->out, game, lesson, &start);
    json_string(wire->out, "done", lesson->done);
    json_word(wire->out, "frame", lesson->frame);
    json_close(wire->out, '}');
}

void wire_lessons(const struct wire *wire, const struct game *game)
{
    if (WIRE_TEXT(wire, "%d lessons of %s:\n", game->lesson_count, game->name)) {
        for (int i = 0; i < game->lesson_count; i++)
            write_lesson(wire, game, &game->lessons[i]);
        return;
    }
    struct buffer *json = wire_begin(wire, "lessons");
    json_word(json, "game", game->name);
    json_open(json, "lessons", '[');
    for (int i = 0; i < game->lesson_count; i++)
        write_lesson(wire, game, &game->lessons[i]);
    json_close(json, ']');
    wire_end(wire);
}

/* Writes the members "variant", "position", "moves", all that are legal there, "result" and
 * "reason": how the game stands by the rules, which know no repetition here. */
static void write_standing(struct buffer *json, const struct game *game,
                           const struct position *position)
{
    struct move moves[MOVES_MAX];
    char variant[VARIANT_NAME_MAX];

    game->variant_name(position, variant);
    json_word(json, "variant", variant);
    write_position(json, "position", game, position);
    write_move_list(json, "moves", position, moves, game->legal(position, moves));
    wire_outcome(json, game->outcome(position));
}

void wire_advice(const struct wire *wire, const struct game *game, const struct position *position)
{
    const struct symbol *symbol = game->symbols;
    char advice[ADVICE_MAX];

    bool over = !game_advise(game, position, advice);
    if (WIRE_TEXT(wire, "%s\n", over ? "The game is over." : advice)) {
        for (; symbol != NULL && symbol->letter != '\0'; symbol++)
            WIRE_TEXT(wire, "  %c %s: %s\n", symbol->letter, symbol->name, symbol->does);
        return;
    }
    struct buffer *json = wire_begin(wire, "explain");
    json_string(json, "advice", over ? NULL : advice);
    json_open(json, "symbols", '[');
    for (; symbol != NULL && symbol->letter != '\0'; symbol++) {
        json_open(json, NULL, '{');
        json_quoted(json, "letter", &symbol->letter, 1);
        json_string(json, "name", symbol->name);
        json_string(json, "does", symbol->does);
        json_close(json, '}');
    }
    json_close(json, ']');
    write_standing(json, game, position);
    wire_end(wire);
}

void wire_legal(const struct wire *wire, const struct game *game, const struct position *after)
{
    if (WIRE_TEXT(wire, "legal\n"))
        return;
    json_bool(wire_begin(wire, "explain"), "legal", true);
    if (after != NULL)
        write_standing(wire->out, game, after);
    wire_end(wire);
}

void wire_illegal(const struct wire *wire, const char *why)
{
    if (WIRE_TEXT(wire, "%s\n", why))
        return;
    json_bool(wire_begin(wire, "explain"), "legal", false);
    json_string(wire->out, "why", why);
    wire_end(wire);
}

/* Writes how a puzzle is rated, and its solver. */
static void write_score(struct buffer *json, const struct puzzle_score *score)
{
    json_integer(json, "rating", lround(score->puzzle.rating));
    json_integer(json, "attempts", score->attempts);
    if (!score->has_solver)
        return;
    json_open(json, "solver", '{');
    json_integer(json, "rating", lround(score->solver.rating));
    json_integer(json, "rating_deviation", lround(score->solver.deviation));
    json_integer(json, "attempts", score->solver_attempts);
    if (score->counts)
        json_integer(json, "change", score->change);
    json_close(json, '}');
}

void wire_puzzle(const struct wire *wire, const struct puzzle *puzzle, int number, bool daily,
                 time_t wall_s, const struct puzzle_score *score)
{
    const struct position *position = &puzzle->position;
    char variant[VARIANT_NAME_MAX], drawn[BOARD_TEXT_MAX], task[PUZZLE_TASK_MAX];
    char text[POSITION_TEXT_MAX];
    struct move moves[MOVES_MAX];
    struct board board;
    int count = puzzle->game->legal(position, moves);

    puzzle->game->variant_name(position, variant);
    puzzle->game->format(position, text);
    puzzle->game->board(position, &board);
    board_text(&board, false, drawn);
    puzzle_task(puzzle, task);
    if (WIRE_TEXT(wire, "%s:%s, puzzle %d of %d%s:\n%s  Position: %s\n%s\n", puzzle->game->name,
                  variant, number, puzzle_count(puzzle->game), daily ? ", that of today" : "",
                  drawn, text, task)) {
        if (score->has_solver)
            buffer_printf(wire->out, "It is rated %ld, you %ld%s.\n", lround(score->puzzle.rating),
                          lround(score->solver.rating),
                          score->tried ? "; you have tried it before" : "");
        write_move_list_text(wire->out, position, moves, count);
        return;
    }
    struct buffer *json = wire_begin(wire, "puzzle");
    json_word(json, "game", puzzle->game->name);
    json_word(json, "variant", variant);
    json_integer(json, "number", number);
    json_integer(json, "count", puzzle_count(puzzle->game));
    json_bool(json, "daily", daily);
    if (daily)
        json_quoted(json, "date", wire_date_text(wall_s).text, sizeof "2026-11-28" - 1);
    write_board(json, puzzle->game, position);
    json_integer(json, "plies", puzzle->plies);
    json_integer(json, "nodes", puzzle->nodes);
    write_score(json, score);
    if (score->has_solver)
        json_bool(json, "tried", score->tried);
    json_string(json, "task", task);
    write_move_list(json, "legal", position, moves, count);
    wire_end(wire);
}

void wire_storm(const struct wire *wire, const struct game *game, uint64_t seed)
{
    char variant[VARIANT_NAME_MAX], task[PUZZLE_TASK_MAX], answer[MOVE_TEXT_MAX];
    struct move moves[MOVES_MAX];
    struct puzzle puzzle;
    int number;

    if (WIRE_TEXT(wire, "A storm of %s: %d seconds; a wrong move costs %d. Its puzzles:\n",
                  game->name, STORM_MS / 1000, STORM_WRONG_MS / 1000)) {
        for (int i = 0; (number = puzzle_storm_number(game, seed, i)) > 0; i++)
            buffer_printf(wire->out, " %d", number);
        buffer_puts(wire->out, "\n");
        return;
    }
    struct buffer *json = wire_begin(wire, "storm");
    json_word(json, "game", game->name);
    json_integer(json, "seconds", STORM_MS / 1000);
    json_integer(json, "wrong_seconds", STORM_WRONG_MS / 1000);
    json_open(json, "puzzles", '[');
    for (int i = 0; puzzle_find(game, puzzle_storm_number(game, seed, i), &puzzle); i++) {
        int count = game->legal(&puzzle.position, moves);
        game->variant_name(&puzzle.position, variant);
        puzzle_task(&puzzle, task);
        move_format(&puzzle.position, puzzle.answer, answer);
        json_open(json, NULL, '{');
        json_integer(json, "number", puzzle_storm_number(game, seed, i));
        json_word(json, "variant", variant);
        write_position(json, "position", game, &puzzle.position);
        json_string(json, "task", task);
        write_move_list(json, "legal", &puzzle.position, moves, count);
        json_word(json, "answer", answer);
        json_close(json, '}');
    }
    json_close(json, ']');
    wire_end(wire);
}

void wire_attempt(const struct wire *wire, const struct puzzle *puzzle, int number,
                  struct move move, const struct move *reply, bool told,
                  const struct puzzle_score *score)
{
    const struct game *game = puzzle->game;
    bool right = move_equal(move, puzzle->answer);
    struct position position = puzzle->position, after[PUZZLE_PLIES_MAX];
    char texts[PUZZLE_PLIES_MAX][MOVE_TEXT_MAX], said[PUZZLE_VERDICT_MAX];
    struct move moves[PUZZLE_PLIES_MAX] = {move};
    int count = 1;

    if (right)
        count = puzzle_line(puzzle, moves);
    else if (reply != NULL)
        moves[count++] = *reply;
    for (int i = 0; i < count; i++) {
        move_format(&position, moves[i], texts[i]);
        game->apply(&position, moves[i]);
        after[i] = position;
    }
    if (told)
        puzzle_tell(puzzle, said);
    else
        puzzle_verdict(puzzle, move, reply, said);
    if (WIRE_TEXT(wire, "%s\n", said)) {
        if (score->counts)
            buffer_printf(wire->out, "Your rating: %ld (%+ld).\n", lround(score->solver.rating),
                          score->change);
        else if (score->has_solver)
            buffer_puts(wire->out, "Not rated: you have tried it before.\n");
        return;
    }
    struct buffer *json = wire_begin(wire, "attempt");
    json_word(json, "game", game->name);
    json_integer(json, "number", number);
    json_word(json, "move", texts[0]);
    json_bool(json, "right", right);
    json_word(json, "reply", reply != NULL ? texts[1] : NULL);
    write_board(json, game, &after[reply != NULL ? 1 : 0]);
    if (right) {
        json_open(json, "line", '[');
        for (int i = 0; i < count; i++)
            json_word(json, NULL, texts[i]);
        json_close(json, ']');
    }
    json_open(json, "positions", '[');
    for (int i = 0; i < count; i++)
        write_position(json, NULL, game, &after[i]);
    json_close(json, ']');
    json_string(json, "said", said);
    json_bool(json, "rated", score->counts);
    write_score(json, score);
    wire_end(wire);
}
