#include "event.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/model/match_words.h"
#include "client_request.h"
#include "sitting.h"

static bool on_screen(const struct client *client, const char *match)
{
    return match[0] != '\0' && strcmp(match, client->view.match) == 0;
}

/* The name or text for a message to people. */
static const char *text_of(const cJSON *message, const char *name)
{
    return json_text_or(message, name, "somebody");
}

/* Forgets a challenge that was withdrawn. */
static void drop_challenge(struct client *client, const struct match_state *state)
{
    if (state->status == STATE_OPEN || strcmp(state->match, client->challenge) != 0)
        return;
    client->challenge[0] = '\0';
    if (state->status == STATE_OVER)
        console_say(&client->console, "The challenge to match %s was withdrawn.", state->match);
}

static void on_state(struct client *client, const cJSON *message)
{
    struct match_state state;
    struct cause cause;

    if (!match_state_read(&state, message, clock_ms(), &cause))
        return;
    drop_challenge(client, &state);
    struct sitting *sitting = sitting_note(client, &state);
    if (on_screen(client, state.match))
        event_show_state(client, &state);
    else
        event_tell_elsewhere(client, &state, sitting);
}

/* Notes a rematch of a match that was left. No state of that match would come, so it can be
 * answered at once. */
static void note_rematch(struct client *client, const struct match_offer *offer)
{
    if (offer->open) {
        snprintf(client->rematch, sizeof client->rematch, "%s", offer->match);
        console_say(&client->console, "%s asks for a rematch of match %s: accept or decline?",
                    offer->from, offer->match);
    } else if (strcmp(offer->match, client->rematch) == 0 && !offer->accepted) {
        client->rematch[0] = '\0';
    }
}

/* Notes an offer, or its end, in the match on the screen. */
static void show_offer(struct client *client, const struct match_offer *offer)
{
    bool told[OFFER_KINDS][2];

    memcpy(told, client->view.offers, sizeof told);
    client->view.offers[offer->what][offer->color] = offer->open;
    event_tell_new_offers(client, told);
    if (!offer->open && client->view.seats[offer->color].mine && !offer->accepted)
        console_say(&client->console, "%s declines %s.", client->view.seats[!offer->color].name,
                    offer_thing(offer->what));
}

static void on_offer(struct client *client, const cJSON *message)
{
    struct match_offer offer;

    if (!match_offer_read(&offer, message))
        return;
    struct sitting *sitting = sitting_find(client, offer.match);
    if (sitting != NULL)
        sitting->told_offer[offer.what] = offer.open;
    if (on_screen(client, offer.match))
        show_offer(client, &offer);
    else if (offer.what == OFFER_REMATCH)
        note_rematch(client, &offer);
    else if (offer.open)
        event_tell_offer_elsewhere(client, offer.match, offer.what, offer.from);
}

static void on_chat(struct client *client, const cJSON *message)
{
    const char *match = json_text_or(message, "match", "");
    const char *from = text_of(message, "from"), *text = text_of(message, "text");

    if (on_screen(client, match)) {
        console_say(&client->console, "<%s> %s", from, text);
        return;
    }
    if (client->front != NULL)
        client->front->heard(client->front->context, match, from, text);
    console_say(&client->console, "[match %s] <%s> %s", match, from, text);
}

static void on_presence(struct client *client, const cJSON *message)
{
    bool online = json_true(message, "online");
    enum color color;

    if (!on_screen(client, json_text_or(message, "match", "")) ||
        !json_color(message, "color", &color) || client->view.seats[color].mine)
        return;
    client->view.seats[color].online = online;
    client->view.seats[color].claim_ms = json_ms(message, "claim_ms");
    client->claim_due_ms = 0;
    if (online)
        console_say(&client->console, "%s is back.", text_of(message, "name"));
    else
        event_tell_away(client, color, text_of(message, "name"));
}

static void on_challenge(struct client *client, const cJSON *message)
{
    char game[GAME_NAME_MAX], variant[VARIANT_NAME_MAX], label[GAME_LABEL_MAX];
    char clock[CLOCK_LINE_MAX];

    if (!match_id_is_valid(json_text(message, "match")))
        return;
    json_copy(client->challenge, sizeof client->challenge, message, "match");
    json_copy(game, sizeof game, message, "game");
    json_copy(variant, sizeof variant, message, "variant");
    console_say(&client->console,
                "%s challenges you to %s%s, you are %s (match %s): accept or decline?",
                text_of(message, "from"), game_label(game, variant, label),
                clock_control(json_member(message, "clock"), clock), text_of(message, "color"),
                client->challenge);
}

/* The server has found an opponent. The match comes to the screen, unless another one runs there.
 */
static void on_paired(struct client *client, const cJSON *message)
{
    char game[GAME_NAME_MAX], variant[VARIANT_NAME_MAX], label[GAME_LABEL_MAX];
    const char *match = json_text_or(message, "match", "");
    bool busy = client->view.known && client->view.status == STATE_PLAYING &&
                match_state_seated(&client->view);

    if (!match_id_is_valid(match))
        return;
    json_copy(game, sizeof game, message, "game");
    json_copy(variant, sizeof variant, message, "variant");
    console_say(&client->console, "Opponent found: %s, %s, you are %s (match %s).",
                text_of(message, "opponent"), game_label(game, variant, label),
                text_of(message, "color"), match);
    if (!busy)
        client_show(client, match);
}

static void on_declined(struct client *client, const cJSON *message)
{
    const char *reason = text_of(message, "reason");

    console_say(&client->console, "%s declines match %s%s%s.", text_of(message, "from"),
                text_of(message, "match"), strcmp(reason, "no") != 0 ? ": " : "",
                strcmp(reason, "no") != 0 ? reason : "");
}

static void on_rematch(struct client *client, const cJSON *message)
{
    const char *next = json_text_or(message, "new", "");
    const char *match = json_text_or(message, "match", "");
    bool elsewhere = match[0] != '\0' && strcmp(match, client->rematch) == 0;
    bool seated = elsewhere || match_state_seated(&client->view);

    if (!match_id_is_valid(next) || (!elsewhere && !on_screen(client, match)))
        return;
    if (elsewhere)
        client->rematch[0] = '\0';
    console_say(&client->console, "The rematch is match %s, with colours swapped.", next);
    client_show(client, next);
    if (!seated)
        client_post(client, "watch %s", next);
}

/* An error that no request waits for: the reply to `watch` after a lost connection. */
static void on_error(struct client *client, const cJSON *message)
{
    client_accepted(client, message);
    if (client->awaiting && strcmp(json_text_or(message, "code", ""), "unknown-match") == 0)
        client_show(client, "");
}

/* The table of a tournament asks the server for everything after news. */
static void on_tournament(struct client *client, const cJSON *message)
{
    (void)message;
    client->tournament_news++;
}

void event_handle(struct client *client, const cJSON *message)
{
    static const struct {
        const char *type;
        void (*handle)(struct client *client, const cJSON *message);
    } rows[] = {
        {"state", on_state},           {"offer", on_offer},         {"chat", on_chat},
        {"presence", on_presence},     {"challenge", on_challenge}, {"rematch", on_rematch},
        {"paired", on_paired},         {"declined", on_declined},   {"error", on_error},
        {"tournament", on_tournament},
    };
    const char *type = json_text_or(message, "type", "");

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(type, rows[i].type) == 0)
            rows[i].handle(client, message);
}
