#include "match_view.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"

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

static bool read_status(const cJSON *state, enum view_status *status)
{
    static const char *const words[] = {"open", "playing", "over"};
    const char *text = json_text_or(state, "status", "");

    for (int i = 0; i < 3; i++)
        if (strcmp(text, words[i]) == 0) {
            *status = (enum view_status)i;
            return true;
        }
    return false;
}

/* A square is a letter or a sign of ASCII: it takes one column. */
static bool is_row(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return false;
    return length > 0 && length <= BOARD_SIDE_MAX;
}

/* A board is 1 to 10 texts of the same length, 1 to 10. */
static bool read_board(const cJSON *state, struct view *view)
{
    const cJSON *row, *board = json_member(state, "board");
    size_t width = 0;

    view->height = 0;
    cJSON_ArrayForEach (row, board) {
        const char *text = cJSON_GetStringValue(row);
        size_t length = text != NULL ? strlen(text) : 0;
        if (text == NULL || !is_row(text, length) || view->height == BOARD_SIDE_MAX ||
            (width > 0 && length != width))
            return false;
        width = length;
        memcpy(view->rows[view->height++], text, length + 1);
    }
    return view->height > 0;
}

static void read_seats(const cJSON *state, struct view *view)
{
    const cJSON *players = json_member(state, "players");
    const char *you = json_text_or(state, "you", "");

    for (enum color color = WHITE; color <= BLACK; color++) {
        const cJSON *player = json_member(players, color_name(color));
        struct view_seat *seat = &view->seats[color];
        json_copy(seat->name, sizeof seat->name, player, "name");
        seat->bot = json_true(player, "bot");
        seat->online = json_true(player, "online");
        seat->claim_ms = json_ms(player, "claim_ms");
        seat->seated = seat->name[0] != '\0' && !cJSON_IsFalse(json_member(player, "seated"));
        seat->mine = strcmp(you, "both") == 0 || strcmp(you, color_name(color)) == 0;
    }
}

static void read_offers(const cJSON *state, struct view *view)
{
    const cJSON *offer, *offers = json_member(state, "offers");
    enum color color;

    cJSON_ArrayForEach (offer, offers) {
        enum offer what = offer_find(json_text_or(offer, "what", ""));
        if (what != OFFER_NONE && json_color(offer, "color", &color))
            view->offers[what][color] = true;
    }
}

static void read_legal(const cJSON *state, struct view *view)
{
    const cJSON *move, *legal = json_member(state, "legal");

    cJSON_ArrayForEach (move, legal) {
        const char *text = cJSON_GetStringValue(move);
        if (text != NULL && strlen(text) < MOVE_TEXT_MAX && view->legal_count < MOVES_MAX)
            snprintf(view->legal[view->legal_count++], MOVE_TEXT_MAX, "%s", text);
    }
}

bool view_read(struct view *view, const cJSON *state, int64_t now_ms)
{
    struct view read = {.known = true};
    const cJSON *score = json_member(state, "score");

    json_copy(read.match, sizeof read.match, state, "match");
    if (read.match[0] == '\0' || !read_status(state, &read.status) || !read_board(state, &read) ||
        !json_int(state, "ply", &read.ply) || !json_color(state, "turn", &read.turn))
        return false;
    json_copy(read.game, sizeof read.game, state, "game");
    json_copy(read.variant, sizeof read.variant, state, "variant");
    json_copy(read.position, sizeof read.position, state, "position");
    json_copy(read.last, sizeof read.last, state, "last");
    json_copy(read.result, sizeof read.result, state, "result");
    json_copy(read.reason, sizeof read.reason, state, "reason");
    read_seats(state, &read);
    read_offers(state, &read);
    read_legal(state, &read);
    read.has_score = json_int(score, "white", &read.score[WHITE]) &&
                     json_int(score, "black", &read.score[BLACK]);
    clock_read(&read.clock, json_member(state, "clock"), now_ms);
    read.check = json_true(state, "check");
    *view = read;
    return true;
}

bool view_seated(const struct view *view)
{
    return view->seats[WHITE].mine || view->seats[BLACK].mine;
}

bool view_my_turn(const struct view *view)
{
    return view->known && view->status == VIEW_PLAYING && view->seats[view->turn].mine;
}

bool view_my_color(const struct view *view, enum color *color)
{
    if (view->seats[WHITE].mine == view->seats[BLACK].mine)
        return false;
    *color = view->seats[WHITE].mine ? WHITE : BLACK;
    return true;
}

bool view_asked(const struct view *view, enum offer what)
{
    enum color mine;

    return view_my_color(view, &mine) && view->offers[what][!mine];
}
