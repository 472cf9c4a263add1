#include "refusal.h"

#include <stdio.h>
#include <string.h>

#include "common/move.h"
#include "json_read.h"

enum { REASON_TEXTS = 4, REASON_MAX = 80 };

/* A text within a message. */
struct quoted {
    const char *start;
    int length;
};

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

/* What the server says about a request beyond its code, the longer ones first; each %s is any text.
 */
static const char *const reasons[] = {
    N_("a display name has letters, digits, blanks, and . - ' : not %s"),
    N_("no hints here: this match is rated, and both sides have moved"),
    N_("the match is still running: offer a rematch when it is over"),
    N_("too many reviews at a time from your address: wait %s s"),
    N_("a match has at most %s plies: resign, or offer a draw"),
    N_("%s is here, and may think for %s h more: claim then"),
    N_("too many unfinished matches: %s %s, the limit is %s"),
    N_("no hints here: this match belongs to tournament %s"),
    N_("nothing to answer: no offer or challenge stands"),
    N_("too many new names from your address: wait %s s"),
    N_("both sides have moved: resign, or offer a draw"),
    N_("nothing to take back: you have not moved"),
    N_("a display name has at most %s characters"),
    N_("you already watch %s matches: leave one"),
    N_("a display name is written in one script"),
    N_("you have %s tokens already: revoke one"),
    N_("%s may still come back: claim in %s s"),
    N_("too many reviews at a time: wait %s s"),
    N_("match %s was opened by somebody else"),
    N_("too many wrong join codes: wait %s s"),
    N_("chat line too long: at most %s bytes"),
    N_("you are the director: leave instead"),
    N_("the other player is gone for good"),
    N_("nobody has joined match %s there"),
    N_("it has %s players: %s are needed"),
    N_("%s takes no more matches at once"),
    N_("it has %s player: %s are needed"),
    N_("%s does not take challenges now"),
    N_("too many wrong codes: wait %s s"),
    N_("the match is at ply %s, not %s"),
    N_("it has %s players, and no room"),
    N_("too many challenges: wait %s s"),
    N_("a display name needs a letter"),
    N_("the match was never played"),
    N_("it has started without you"),
    N_("there are no puzzles of %s"),
    N_("you do not watch match %s"),
    N_("unknown tournament '%s'"),
    N_("the analysis has failed"),
    N_("it has started already"),
    N_("the match is not over"),
    N_("%s is removed already"),
    N_("the review has failed"),
    N_("both seats are yours"),
    N_("you do not take part"),
    N_("unknown command '%s'"),
    N_("only %s may do that"),
    N_("unknown player '%s'"),
    N_("%s has removed you"),
    N_("unknown match '%s'"),
    N_("unknown game '%s'"),
    N_("%s: reserved name"),
    N_("already offered"),
    N_("%s is here"),
    N_("it is over"),
};

/* Fits a message to a sentence: notes where the texts are for which %s stands. Returns how many, or
 * -1 if it does not fit. */
static int fit_reason(const char *message, const char *sentence, struct quoted texts[REASON_TEXTS])
{
    int count = 0;

    for (const char *place; (place = strstr(sentence, "%s")) != NULL; sentence = place + 2) {
        size_t before = (size_t)(place - sentence), next = strcspn(place + 2, "%");
        if (strncmp(message, sentence, before) != 0 || count == REASON_TEXTS)
            return -1;
        message += before;
        char behind[REASON_MAX];
        snprintf(behind, sizeof behind, "%.*s", (int)next, place + 2);
        const char *end = next > 0 ? strstr(message, behind) : message + strlen(message);
        if (end == NULL)
            return -1;
        texts[count++] = (struct quoted){message, (int)(end - message)};
        message = end;
    }
    return strcmp(message, sentence) == 0 ? count : -1;
}

/* Writes what the server has said in the language of the person; false where it is not known. */
static bool write_reason(const char *message, struct cause *cause)
{
    struct quoted texts[REASON_TEXTS];
    char text[sizeof cause->text];

    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        const char *translated = _(reasons[i]);
        size_t used = 0;
        int count = translated != reasons[i] ? fit_reason(message, reasons[i], texts) : -1;
        for (int at = 0; at <= count && used < sizeof text; at++) {
            int before = (int)strcspn(translated, "%");
            used += (size_t)snprintf(text + used, sizeof text - used, "%.*s%.*s", before,
                                     translated, at < count ? texts[at].length : 0,
                                     at < count ? texts[at].start : "");
            translated += before + (translated[before] != '\0' ? 2 : 0);
        }
        if (count >= 0) {
            cause_set(cause, "%s", text);
            return true;
        }
    }
    return false;
}

void refusal_read(const cJSON *reply, struct cause *cause)
{
    const char *code = json_text_or(reply, "code", "");
    const char *message = json_text_or(reply, "message", N_("the server refuses without a reason"));
    const char *known = _(message);

    if (write_reason(message, cause))
        return;
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
