#include "refusal.h"

#include <string.h>

#include "common/move.h"
#include "json_read.h"

/* By the codes of protocol.md. */
static const char *const sentences[][2] = {
    {"unknown-command", N_("the server does not understand these words")},
    {"bad-arguments", N_("invalid arguments for this command")},
    {"line-too-long", N_("line too long")},
    {"name-taken", N_("name taken: choose another")},
    {"bad-name", N_("invalid name: use 1 to 24 of A-Z a-z 0-9 _ -")},
    {"bad-token", N_("wrong token for this name")},
    {"bad-code", N_("wrong join code")},
    {"code-needed", N_("join code required")},
    {"unknown-game", N_("unknown game")},
    {"unknown-variant", N_("unknown variant")},
    {"bad-position", N_("invalid position")},
    {"unknown-match", N_("unknown match")},
    {"unknown-player", N_("unknown player")},
    {"unknown-tournament", N_("unknown tournament")},
    {"seat-taken", N_("seat taken: none is free for you in that match")},
    {"not-a-player", N_("you do not play in that match")},
    {"not-your-turn", N_("not your turn: the other side moves")},
    {"illegal-move", N_("illegal move")},
    {"stale-ply", N_("the match is at another ply")},
    {"match-over", N_("the match is over")},
    {"match-not-started", N_("the match has not started")},
    {"match-archived", N_("the server has the match in its archive only")},
    {"nothing-to-answer", N_("there is nothing to answer")},
    {"not-allowed", N_("not allowed here")},
    {"ambiguous-match", N_("you are in several matches: name one")},
    {"rate-limited", N_("rate limit exceeded: wait a moment")},
    {"limit-reached", N_("limit of this server reached")},
    {"server-busy", N_("server full: try again later")},
    {"bad-encoding", N_("invalid text: a line is UTF-8 without control characters")},
    {"internal", N_("the server failed; nothing has changed")},
};

void refusal_read(const cJSON *reply, struct cause *cause)
{
    const char *code = json_text_or(reply, "code", "");
    const char *message = json_text_or(reply, "message", N_("the server refuses without a reason"));
    const char *known = _(message);

    if (strncmp(message, "usage: ", 7) == 0) /* in words of the protocol, for programs */
        known = _("the server does not understand these words");
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++)
        if (known == message && strcmp(sentences[i][0], code) == 0 &&
            _(sentences[i][1]) != sentences[i][1])
            known = _(sentences[i][1]);
    cause_set(cause, "%s", known);
}

void refusal_read_move(const cJSON *reply, const struct game *game, const char *position,
                       const char *variant, const char *move, struct cause *cause)
{
    struct position at;
    struct cause why;
    struct move tried;

    refusal_read(reply, cause);
    if (strcmp(cause->text, json_text_or(reply, "message", "")) == 0 ||
        strcmp(json_text_or(reply, "code", ""), "illegal-move") != 0 || game == NULL ||
        !game->parse(variant, position, &at, &why))
        return;
    if (!move_parse(game, &at, move, &tried, &why))
        *cause = why;
}
