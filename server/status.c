#include "status.h"

static const struct {
    const char *word, *sentence;
} table[] = {
    [STATUS_OK] = {"ok", "done"},
    [STATUS_UNKNOWN_COMMAND] = {"unknown-command", "there is no such command: try help"},
    [STATUS_BAD_ARGUMENTS] = {"bad-arguments", "the arguments do not fit the command"},
    [STATUS_LINE_TOO_LONG] = {"line-too-long", "that line is too long"},
    [STATUS_BAD_ENCODING] = {"bad-encoding", "a line is UTF-8 text without control characters"},
    [STATUS_NAME_TAKEN] = {"name-taken", "somebody else has that name"},
    [STATUS_BAD_NAME] = {"bad-name", "a name is 1 to 24 of A-Z a-z 0-9 _ -"},
    [STATUS_BAD_TOKEN] = {"bad-token", "that is not the token of that name"},
    [STATUS_BAD_CODE] = {"bad-code", "that is not the join code of this server"},
    [STATUS_CODE_NEEDED] = {"code-needed", "this server wants its join code: hello NAME code=CODE"},
    [STATUS_UNKNOWN_GAME] = {"unknown-game", "there is no such game: try games"},
    [STATUS_UNKNOWN_VARIANT] = {"unknown-variant", "the game has no such variant: try games"},
    [STATUS_BAD_POSITION] = {"bad-position", "that is no valid position of the game"},
    [STATUS_UNKNOWN_MATCH] = {"unknown-match", "there is no such match"},
    [STATUS_UNKNOWN_PLAYER] = {"unknown-player", "nobody of that name is known here"},
    [STATUS_SEAT_TAKEN] = {"seat-taken", "there is no free seat for you in that match"},
    [STATUS_NOT_A_PLAYER] = {"not-a-player", "you do not play in that match"},
    [STATUS_NOT_YOUR_TURN] = {"not-your-turn", "it is the other player's turn"},
    [STATUS_ILLEGAL_MOVE] = {"illegal-move", "the rules forbid that move"},
    [STATUS_STALE_PLY] = {"stale-ply", "the match is at another ply by now"},
    [STATUS_MATCH_OVER] = {"match-over", "the match is over"},
    [STATUS_MATCH_NOT_STARTED] = {"match-not-started", "the match waits for a player"},
    [STATUS_NOTHING_TO_ANSWER] = {"nothing-to-answer", "there is no offer or challenge to answer"},
    [STATUS_NOT_ALLOWED] = {"not-allowed", "that is not allowed here"},
    [STATUS_AMBIGUOUS_MATCH] = {"ambiguous-match", "you are in several matches: name one"},
    [STATUS_RATE_LIMITED] = {"rate-limited", "that is too much at a time: wait a moment"},
    [STATUS_LIMIT_REACHED] = {"limit-reached", "that is more than this server allows"},
    [STATUS_SERVER_BUSY] = {"server-busy", "the server is full: try again later"},
    [STATUS_INTERNAL] = {"internal", "the server failed; nothing was changed"},
};

const char *status_word(enum status status)
{
    return table[status].word;
}

const char *status_sentence(enum status status)
{
    return table[status].sentence;
}
