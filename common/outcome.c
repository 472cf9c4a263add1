/* The words for colours, results and reasons. */
#include "game.h"

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
