/* What all games share: the words for colours, results and reasons, and perft. */
#include "game.h"

#include <stddef.h>
#include <stdio.h>

const char *color_name(enum color color)
{
    return color == WHITE ? N_("white") : N_("black");
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

bool game_advise(const struct game *game, const struct position *position, char text[ADVICE_MAX])
{
    text[0] = '\0';
    if (game->outcome(position).result != RESULT_NONE)
        return false;
    if (game->advise != NULL)
        game->advise(position, text);
    else
        snprintf(text, ADVICE_MAX, "%s", _(game->summary));
    return true;
}

uint64_t perft(const struct game *game, const struct position *position, int depth)
{
    struct move moves[MOVES_MAX];
    uint64_t nodes = 0;

    if (depth <= 0)
        return 1;
    if (depth == 1)
        return (uint64_t)game->legal(position, NULL);
    int count = game->legal(position, moves);
    for (int i = 0; i < count; i++) {
        struct position next = *position;
        game->apply(&next, moves[i]);
        nodes += perft(game, &next, depth - 1);
    }
    return nodes;
}
