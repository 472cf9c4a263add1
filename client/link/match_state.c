#include "match_state.h"

#include <stdio.h>
#include <string.h>

#include "json_read.h"

static const char *const offer_words[] = {"draw", "undo", "rematch"};

enum offer offer_find(const char *word)
{
    enum offer offer = OFFER_DRAW;

    while (offer < OFFER_KINDS && strcmp(word, offer_words[offer]) != 0)
        offer++;
    return offer;
}

const char *offer_word(enum offer offer)
{
    return offer_words[offer];
}

bool match_id_is_valid(const char *text)
{
    static const char allowed[] = "0123456789-_"
                                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t length = text != NULL ? strspn(text, allowed) : 0;

    return length > 0 && length < MATCH_ID_MAX && text[length] == '\0';
}

static bool read_status(const cJSON *message, enum state_status *status)
{
    static const char *const words[] = {"open", "playing", "over"};
    const char *text = json_text_or(message, "status", "");

    for (int i = 0; i < 3; i++)
        if (strcmp(text, words[i]) == 0) {
            *status = (enum state_status)i;
            return true;
        }
    return false;
}

/* Whether each square is a printable ASCII character: it fills one column. */
static bool is_row(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return false;
    return length > 0 && length <= BOARD_SIDE_MAX;
}

/* Reads 1 to 10 texts of equal length, 1 to 10, the highest rank first. */
static bool read_board(const cJSON *message, struct board *board)
{
    const cJSON *row, *rows = json_member(message, "board");
    int rank = cJSON_GetArraySize(rows);

    *board = (struct board){.height = rank};
    if (rank < 1 || rank > BOARD_SIDE_MAX)
        return false;
    cJSON_ArrayForEach (row, rows) {
        const char *text = cJSON_GetStringValue(row);
        size_t length = text != NULL ? strlen(text) : 0;
        if (!is_row(text, length) || (board->width > 0 && (int)length != board->width))
            return false;
        board->width = (int)length;
        memcpy(board->cell + --rank * board->width, text, length);
    }
    return true;
}

static void read_seats(const cJSON *message, struct match_state *state)
{
    const cJSON *players = json_member(message, "players");
    const char *you = json_text_or(message, "you", "");

    for (enum color color = WHITE; color <= BLACK; color++) {
        const cJSON *player = json_member(players, color_name(color));
        struct match_seat *seat = &state->seats[color];
        json_copy(seat->name, sizeof seat->name, player, "name");
        json_copy(seat->display, sizeof seat->display, player, "display");
        seat->bot = json_true(player, "bot");
        seat->online = json_true(player, "online");
        json_int(player, "rating", &seat->rating);
        seat->claim_ms = json_ms(player, "claim_ms");
        seat->stall_ms = json_ms(player, "stall_ms");
        seat->seated = seat->name[0] != '\0' && !cJSON_IsFalse(json_member(player, "seated"));
        seat->mine = strcmp(you, "both") == 0 || strcmp(you, color_name(color)) == 0;
    }
}

static void read_clock(const cJSON *json, int64_t now_ms, struct match_clock *clock)
{
    *clock = (struct match_clock){.told_ms = now_ms};
    for (enum color color = WHITE; color <= BLACK; color++)
        clock->left_ms[color] = json_ms(json, color == WHITE ? "white_ms" : "black_ms");
    clock->increment_ms = json_ms(json, "increment_ms");
    clock->runs = json_color(json, "running", &clock->running);
    clock->known = clock->left_ms[WHITE] >= 0 && clock->left_ms[BLACK] >= 0;
}

bool match_state_read(struct match_state *state, const cJSON *message, int64_t now_ms,
                      struct cause *cause)
{
    struct match_state read = {.known = true};
    const cJSON *score = json_member(message, "score");

    if (!match_id_is_valid(json_text(message, "match")))
        return cause_set(cause, "the state names no match");
    json_copy(read.match, sizeof read.match, message, "match");
    if (!read_status(message, &read.status) || !json_int(message, "ply", &read.ply) ||
        read.ply < 0 || !json_color(message, "turn", &read.turn))
        return cause_set(cause, "match %s: invalid status, ply or turn", read.match);
    if (!read_board(message, &read.board))
        return cause_set(cause, "match %s: invalid board", read.match);
    json_copy(read.game, sizeof read.game, message, "game");
    json_copy(read.variant, sizeof read.variant, message, "variant");
    json_copy(read.position, sizeof read.position, message, "position");
    json_copy(read.last, sizeof read.last, message, "last");
    read.rated = json_true(message, "rated");
    read.of_tournament = json_text(message, "tournament") != NULL;
    json_copy(read.result, sizeof read.result, message, "result");
    json_copy(read.reason, sizeof read.reason, message, "reason");
    read_seats(message, &read);
    const cJSON *offer;
    enum color color;
    cJSON_ArrayForEach (offer, json_member(message, "offers")) {
        enum offer what = offer_find(json_text_or(offer, "what", ""));
        if (what != OFFER_NONE && json_color(offer, "color", &color))
            read.offers[what][color] = true;
    }
    const cJSON *move;
    cJSON_ArrayForEach (move, json_member(message, "legal")) {
        const char *text = cJSON_GetStringValue(move);
        if (text != NULL && strlen(text) < MOVE_TEXT_MAX && read.legal_count < MOVES_MAX)
            snprintf(read.legal[read.legal_count++], MOVE_TEXT_MAX, "%s", text);
    }
    read.has_score = json_int(score, "white", &read.score[WHITE]) &&
                     json_int(score, "black", &read.score[BLACK]);
    read_clock(json_member(message, "clock"), now_ms, &read.clock);
    read.check = json_true(message, "check");
    *state = read;
    return true;
}

bool match_state_parse(const struct match_state *state, const struct game **game,
                       struct position *position, struct cause *cause)
{
    *game = game_find(state->game, strlen(state->game));
    if (*game == NULL)
        return cause_set(cause, "unknown game '%s'", state->game);
    return (*game)->parse(state->variant[0] != '\0' ? state->variant : NULL, state->position,
                          position, cause);
}

bool match_offer_read(struct match_offer *offer, const cJSON *message)
{
    if (!match_id_is_valid(json_text(message, "match")) ||
        !json_color(message, "color", &offer->color))
        return false;
    json_copy(offer->match, sizeof offer->match, message, "match");
    json_copy(offer->from, sizeof offer->from, message, "from");
    if (offer->from[0] == '\0')
        memcpy(offer->from, "somebody", sizeof "somebody");
    offer->what = offer_find(json_text_or(message, "what", ""));
    offer->open = json_true(message, "open");
    offer->accepted = json_true(message, "accepted");
    return offer->what != OFFER_NONE;
}

bool match_state_seated(const struct match_state *state)
{
    return state->seats[WHITE].mine || state->seats[BLACK].mine;
}

bool match_state_my_turn(const struct match_state *state)
{
    return state->known && state->status == STATE_PLAYING && state->seats[state->turn].mine;
}

bool match_state_my_color(const struct match_state *state, enum color *color)
{
    if (state->seats[WHITE].mine == state->seats[BLACK].mine)
        return false;
    *color = state->seats[WHITE].mine ? WHITE : BLACK;
    return true;
}

bool match_state_asked(const struct match_state *state, enum offer what)
{
    enum color mine;

    return match_state_my_color(state, &mine) && state->offers[what][!mine];
}

int64_t match_clock_left_ms(const struct match_clock *clock, enum color color, int64_t now_ms)
{
    int64_t left_ms = clock->left_ms[color];

    if (clock->runs && clock->running == color)
        left_ms -= now_ms - clock->told_ms;
    return left_ms > 0 ? left_ms : 0;
}

/* In English they are the words of the protocol. */
const char *reason_words(const char *reason)
{
    static const char *const words[][2] = {{"no-moves", N_("no moves")},
                                           {"score", N_("by points")},
                                           {"dux-immobilised", N_("dux surrounded")},
                                           {"no-soldiers", N_("no soldiers")},
                                           {"repetition", N_("repetition")},
                                           {"no-capture", N_("no capture")},
                                           {"checkmate", N_("checkmate")},
                                           {"resign", N_("resignation")},
                                           {"draw-agreed", N_("draw agreed")},
                                           {"timeout", N_("out of time")},
                                           {"forfeit", N_("forfeit")},
                                           {"aborted", N_("aborted")}};

    for (size_t i = 0; reason != NULL && i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i][0], reason) == 0) {
            const char *translated = _(words[i][1]);
            return translated != words[i][1] ? translated : words[i][0];
        }
    return reason != NULL ? reason : "";
}
