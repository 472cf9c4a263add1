/*
 * States as text: client/link/match_state.c, and a bot's match. Further lines are further states.
 *
 * Programs trust no server: they refuse its text with a cause, or get values within the limits of
 * match_state.h, and a bot on turn has a legal move.
 */
#include <stdlib.h>
#include <string.h>

#include "client/link/link.h"
#include "client/seating/bot_client.h"
#include "common/text.h"
#include "fuzz.h"

enum { NOW_MS = 1000 };

static void require_clean(const char *text)
{
    REQUIRE(utf8_is_clean(text, strlen(text)), "unclean text: %s", text);
}

static void check_state(const struct match_state *state)
{
    const struct board *board = &state->board;

    REQUIRE(state->known && match_id_is_valid(state->match), "the match: %s", state->match);
    REQUIRE(state->ply >= 0, "the ply: %d", state->ply);
    REQUIRE(board->height >= 1 && board->height <= BOARD_SIDE_MAX, "%d ranks", board->height);
    REQUIRE(board->width >= 1 && board->width <= BOARD_SIDE_MAX, "%d files", board->width);
    for (int i = 0; i < board->width * board->height; i++)
        REQUIRE(board->cell[i] > ' ' && board->cell[i] <= '~', "square %d is no letter", i);
    REQUIRE(state->legal_count >= 0 && state->legal_count <= MOVES_MAX, "%d legal moves",
            state->legal_count);
    for (int i = 0; i < state->legal_count; i++)
        require_clean(state->legal[i]);
    for (enum color color = WHITE; color <= BLACK; color++) {
        require_clean(state->seats[color].name);
        REQUIRE(!state->seats[color].seated || state->seats[color].name[0] != '\0',
                "nobody is seated");
        REQUIRE(!state->clock.known || match_clock_left_ms(&state->clock, color, NOW_MS + 60) >= 0,
                "a clock below zero");
    }
    require_clean(state->game);
    require_clean(state->position);
    require_clean(state->result);
    require_clean(state->reason);
}

static void follow(struct bot_match_list *matches, const struct match_state *state)
{
    struct bot_match *match = bot_match_find(matches, state->match);
    const struct game *game = game_find(state->game, strlen(state->game));
    struct position start;
    struct cause cause;
    bool changed;

    if (game == NULL || !game->start(NULL, &start, &cause))
        return;
    if (match == NULL)
        match = bot_match_add(matches, state->match, BOT_JOINED, game, &start);
    if (!bot_match_follow(matches, match, state, &changed, &cause)) {
        fuzz_require_cause(&cause);
        return;
    }
    REQUIRE(!bot_match_waits(match) ||
                (match->stage == BOT_PLAYING && game->legal(&match->course.position, NULL) > 0),
            "a move is owed where there is none");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct link link = {.fd = -1, .buffer = malloc(size + 1), .used = size + 1, .size = size + 1};
    struct bot_match_list matches = TAILQ_HEAD_INITIALIZER(matches);
    cJSON *message;

    if (link.buffer == NULL)
        abort();
    memcpy(link.buffer, data, size);
    link.buffer[size] = '\n';
    while ((message = link_next(&link)) != NULL) {
        struct match_state state;
        struct cause cause;
        if (match_state_read(&state, message, NOW_MS, &cause)) {
            check_state(&state);
            follow(&matches, &state);
        } else {
            fuzz_require_cause(&cause);
        }
        cJSON_Delete(message);
    }
    while (!TAILQ_EMPTY(&matches))
        bot_match_free(&matches, TAILQ_FIRST(&matches));
    link_close(&link);
    return 0;
}
