#include "answer.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/link/json_read.h"
#include "client/model/match_words.h"
#include "client/talk/client_request.h"
#include "play.h"

/* Requests that can wait: the offers of match_state.h, then requests outside the match on the screen. */
enum { ASKED_REMATCH_ELSEWHERE = OFFER_KINDS, ASKED_CHALLENGE, ASKED_KINDS };
enum { LIST_MAX = 160 }; /* bytes, for "accept draw, accept undo, ..." */

static const char *word_of(int asked)
{
    if (asked == ASKED_CHALLENGE)
        return "challenge";
    return offer_word(asked == ASKED_REMATCH_ELSEWHERE ? OFFER_REMATCH : (enum offer)asked);
}

static bool waits(const struct client *client, int asked)
{
    if (asked == ASKED_CHALLENGE)
        return client->challenge[0] != '\0';
    if (asked == ASKED_REMATCH_ELSEWHERE)
        return client->rematch[0] != '\0' && strcmp(client->rematch, client->view.match) != 0;
    return match_state_asked(&client->view, (enum offer)asked);
}

static int count_waiting(const struct client *client, int from, int to)
{
    int count = 0;

    for (int asked = from; asked < to; asked++)
        count += waits(client, asked);
    return count;
}

/* The first that waits and has this word, or any for ""; ASKED_KINDS when there is none. */
static int find(const struct client *client, const char *word)
{
    int asked = 0;

    while (asked < ASKED_KINDS &&
           (!waits(client, asked) || (word[0] != '\0' && strcasecmp(word, word_of(asked)) != 0)))
        asked++;
    return asked;
}

/* Asks which one they mean: "accept draw, accept undo". */
static void ask_which(struct client *client, const char *verb)
{
    char list[LIST_MAX] = "";
    size_t used = 0;

    for (int asked = 0; asked < ASKED_KINDS; asked++)
        if (waits(client, asked) && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s`%s %s`",
                                     used > 0 ? ", " : "", verb, word_of(asked));
    console_say(&client->console, "Several requests wait for your answer; which one? %s", list);
}

void answer_offer(struct client *client, enum offer what)
{
    cJSON *reply = client_ask(client, "%s %s", offer_word(what), client->view.match);
    bool done = reply != NULL;
    bool agreed = json_true(reply, "agreed");
    enum color mine;

    cJSON_Delete(reply);
    if (!done)
        return;
    if (agreed) {
        client->awaiting = what != OFFER_REMATCH;
    } else if (match_state_my_color(&client->view, &mine)) {
        client->view.offers[what][mine] = true;
        console_say(&client->console, "%s. Waiting for %s.", offer_made(what),
                    client->view.seats[!mine].name);
    }
}

static void accept_challenge(struct client *client)
{
    char challenge[MATCH_ID_MAX];

    snprintf(challenge, sizeof challenge, "%s", client->challenge);
    client->challenge[0] = '\0';
    play_join(client, challenge);
}

/* On agreement an event brings the new match to the screen. */
static void accept_rematch(struct client *client)
{
    if (!client_do(client, "rematch %s", client->rematch))
        client->rematch[0] = '\0';
}

void answer_accept(struct client *client, const char *word)
{
    int asked = find(client, word);

    if (asked == ASKED_KINDS)
        console_say(&client->console, "There is nothing to accept.");
    else if (word[0] == '\0' && count_waiting(client, 0, ASKED_KINDS) > 1)
        ask_which(client, "accept");
    else if (asked == ASKED_CHALLENGE)
        accept_challenge(client);
    else if (asked == ASKED_REMATCH_ELSEWHERE)
        accept_rematch(client);
    else
        answer_offer(client, (enum offer)asked);
}

static void decline(struct client *client, const char *match)
{
    if (client_do(client, "decline %s", match))
        console_say(&client->console, "Declined.");
}

void answer_decline(struct client *client, const char *word)
{
    int asked = find(client, word), offers = count_waiting(client, 0, OFFER_KINDS);

    int others = count_waiting(client, OFFER_KINDS, ASKED_KINDS);

    if (asked == ASKED_KINDS) {
        console_say(&client->console, "There is nothing to decline.");
    } else if (word[0] == '\0' && (offers > 0) + others > 1) {
        ask_which(client, "decline");
    } else if (asked >= OFFER_KINDS) {
        char *match = asked == ASKED_CHALLENGE ? client->challenge : client->rematch;
        decline(client, match);
        match[0] = '\0';
    } else if (word[0] != '\0' && offers > 1) {
        console_say(&client->console,
                    "The offers in a match are declined together: type `decline`, "
                    "or accept one of them.");
    } else {
        decline(client, client->view.match);
    }
}
