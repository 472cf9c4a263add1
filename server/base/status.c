#include "status.h"

static const struct {
    const char *word, *sentence;
} table[] = {
    [STATUS_OK] = {"ok", "done"},
    [STATUS_UNKNOWN_COMMAND] = {"unknown-command", "unknown command: try help"},
    [STATUS_BAD_ARGUMENTS] = {"bad-arguments", "invalid arguments for this command: try help"},
    [STATUS_LINE_TOO_LONG] = {"line-too-long", "line too long"},
    [STATUS_BAD_ENCODING] = {"bad-encoding",
                             "invalid text: a line is UTF-8 without control characters"},
    [STATUS_NAME_TAKEN] = {"name-taken", "name taken: choose another"},
    [STATUS_BAD_NAME] = {"bad-name", "invalid name: use 1 to 24 of A-Z a-z 0-9 _ -"},
    [STATUS_BAD_TOKEN] = {"bad-token", "wrong token for this name"},
    [STATUS_BAD_CODE] = {"bad-code", "wrong join code"},
    [STATUS_CODE_NEEDED] = {"code-needed", "join code required: hello NAME code=CODE"},
    [STATUS_UNKNOWN_GAME] = {"unknown-game", "unknown game: try games"},
    [STATUS_UNKNOWN_VARIANT] = {"unknown-variant", "unknown variant: try games"},
    [STATUS_BAD_POSITION] = {"bad-position", "invalid position"},
    [STATUS_UNKNOWN_MATCH] = {"unknown-match", "unknown match"},
    [STATUS_UNKNOWN_PLAYER] = {"unknown-player", "unknown player"},
    [STATUS_UNKNOWN_TOURNAMENT] = {"unknown-tournament", "unknown tournament"},
    [STATUS_SEAT_TAKEN] = {"seat-taken", "seat taken: none is free for you in that match"},
    [STATUS_NOT_A_PLAYER] = {"not-a-player", "you do not play in that match"},
    [STATUS_NOT_YOUR_TURN] = {"not-your-turn", "not your turn: the other side moves"},
    [STATUS_ILLEGAL_MOVE] = {"illegal-move", "illegal move"},
    [STATUS_STALE_PLY] = {"stale-ply", "the match is at another ply"},
    [STATUS_MATCH_OVER] = {"match-over", "the match is over"},
    [STATUS_MATCH_NOT_STARTED] = {"match-not-started", "the match has not started"},
    [STATUS_MATCH_ARCHIVED] = {"match-archived", "the server has the match in its archive only"},
    [STATUS_NOTHING_TO_ANSWER] = {"nothing-to-answer",
                                  "nothing to answer: no offer or challenge stands"},
    [STATUS_NOT_ALLOWED] = {"not-allowed", "not allowed here"},
    [STATUS_AMBIGUOUS_MATCH] = {"ambiguous-match", "you are in several matches: name one"},
    [STATUS_RATE_LIMITED] = {"rate-limited", "rate limit exceeded: wait a moment"},
    [STATUS_LIMIT_REACHED] = {"limit-reached", "limit of this server reached"},
    [STATUS_SERVER_BUSY] = {"server-busy", "server full: try again later"},
    [STATUS_INTERNAL] = {"internal", "the server failed; nothing has changed"},
};

const char *status_word(enum status status)
{
    return table[status].word;
}

const char *status_sentence(enum status status)
{
    return table[status].sentence;
}
