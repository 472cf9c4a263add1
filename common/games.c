/* The list of games, and the words that all of them share. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "game.h"

const struct game *const games[] = {&clobber, &xadrersi, &latrunculi, &shakti, NULL};

const char *color_name(enum color color)
{
    return color == WHITE ? "white" : "black";
}

const char *result_text(enum result result)
{
    static const char *const texts[] = {[RESULT_NONE] = "*",
                                        [RESULT_WHITE] = "1-0",
                                        [RESULT_BLACK] = "0-1",
                                        [RESULT_DRAW] = "1/2-1/2"};

    return texts[result];
}

const char *reason_text(enum reason reason)
{
    static const char *const texts[] = {
        [REASON_NONE] = NULL,
        [REASON_NO_MOVES] = "no-moves",
        [REASON_SCORE] = "score",
        [REASON_DUX_IMMOBILISED] = "dux-immobilised",
        [REASON_NO_SOLDIERS] = "no-soldiers",
        [REASON_REPETITION] = "repetition",
        [REASON_NO_CAPTURE] = "no-capture",
        [REASON_CHECKMATE] = "checkmate",
        [REASON_RESIGN] = "resign",
        [REASON_DRAW_AGREED] = "draw-agreed",
        [REASON_TIMEOUT] = "timeout",
        [REASON_FORFEIT] = "forfeit",
        [REASON_ABORTED] = "aborted",
    };

    return texts[reason];
}

bool outcome_is_of_players(struct outcome outcome)
{
    switch (outcome.reason) {
    case REASON_RESIGN:
    case REASON_TIMEOUT:
    case REASON_FORFEIT:
        return outcome.result == RESULT_WHITE || outcome.result == RESULT_BLACK;
    case REASON_DRAW_AGREED:
        return outcome.result == RESULT_DRAW;
    case REASON_ABORTED:
        return outcome.result == RESULT_NONE;
    default:
        return false;
    }
}

enum result result_win(enum color color)
{
    return color == WHITE ? RESULT_WHITE : RESULT_BLACK;
}

const struct game *game_find(const char *name, unsigned long length)
{
    for (const struct game *const *game = games; *game != NULL; game++)
        if (strlen((*game)->name) == length && strncasecmp((*game)->name, name, length) == 0)
            return *game;
    return NULL;
}

/* Returns NULL, with a cause that names the games there are. */
static const struct game *no_such_game(const char *text, size_t length, struct cause *cause)
{
    char names[120] = "";
    size_t used = 0;

    for (int i = 0; games[i] != NULL && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i == 0                 ? ""
                                 : games[i + 1] != NULL ? ", "
                                                        : " and ",
                                 games[i]->name);
    cause_set(cause, "there is no game '%.*s': the games are %s", length < 24 ? (int)length : 24,
              text, names);
    return NULL;
}

const struct game *game_open(const char *text, struct position *position, bool *unknown_game,
                             struct cause *cause)
{
    size_t length = strcspn(text, ":");
    const struct game *game = game_find(text, length);

    if (unknown_game != NULL)
        *unknown_game = game == NULL;
    if (game == NULL)
        return no_such_game(text, length, cause);
    const char *variant = text[length] == ':' ? text + length + 1 : NULL;
    return game->start(variant, position, cause) ? game : NULL;
}
