#include "event.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "hosting.h"
#include "login.h"
#include "match_words.h"

enum {
    WAY_MAX = MATCH_ID_MAX + 24,
    CHAT_FROM_MAX = PLAYER_DISPLAY_MAX + 16
}; /* bytes with the final NUL */

/* Says how to get there from another match; the menu has a row for it. */
static const char *way_there(const struct client *client, const char *match, char text[WAY_MAX])
{
    if (client->view.match[0] == '\0')
        return "";
    snprintf(text, WAY_MAX, _(" `go %s` shows it."), match);
    return text;
}

/* Says what is offered in a match that is not on the screen. */
static void event_tell_offer_elsewhere(struct client *client, const char *match, enum offer what,
                                       const char *from)
{
    char way[WAY_MAX];

    char said[SENTENCE_MAX];
    sentence_about(offer_request(what), names_shown(&client->names, from), said, sizeof said);
    console_say(&client->console, "Match %s: %s%s", match, said, way_there(client, match, way));
}

/* Reports a match that is not on the screen when it is the player's turn there, or something is
 * offered. */
static void tell_sitting(struct client *client, struct sitting *sitting)
{
    char way[WAY_MAX];

    if (client->front == NULL)
        return; /* nobody is at the keys yet; or a script, which watches one match */
    if (sitting->my_turn && sitting->told_ply != sitting->ply) {
        sitting->told_ply = sitting->ply;
        client_ring(client);
        console_say(&client->console, "Match %s (%s): your turn.%s", sitting->match, sitting->label,
                    way_there(client, sitting->match, way));
    }
    for (enum offer what = OFFER_DRAW; what < OFFER_KINDS; what++) {
        if (sitting->asked[what] && !sitting->told_offer[what])
            event_tell_offer_elsewhere(client, sitting->match, what, sitting->other);
        sitting->told_offer[what] = sitting->asked[what];
    }
}

void event_begin(struct client *client)
{
    for (int i = 0; i < SITTINGS_MAX; i++) {
        struct sitting *sitting = &client->sittings[i];
        if (sitting->match[0] != '\0' && strcmp(sitting->match, client->view.match) != 0)
            tell_sitting(client, sitting);
    }
}

/* Says what has changed in a match that is not on the screen; `sitting` is NULL when the player has
 * none there. */
static void event_tell_elsewhere(struct client *client, const struct match_state *view,
                                 struct sitting *sitting)
{
    if (sitting != NULL)
        tell_sitting(client, sitting);
    if (match_state_seated(view) && view->status == STATE_OVER)
        console_say(&client->console, "Match %s is over: %s (%s).", view->match, view->result,
                    reason_words(view->reason));
}

static void tell_taken_back(struct client *client, int moves)
{
    const struct match_state *view = &client->view;
    unsigned long count = (unsigned long)moves;

    console_say(&client->console,
                match_state_my_turn(view)
                    ? text_counted("Move taken back. It is your turn again.",
                                   "%d moves taken back. It is your turn again.", count)
                : view->turn == WHITE
                    ? text_counted("Move taken back. It is White's turn again.",
                                   "%d moves taken back. It is White's turn again.", count)
                    : text_counted("Move taken back. It is Black's turn again.",
                                   "%d moves taken back. It is Black's turn again.", count),
                moves);
}

static void tell_open(struct client *client)
{
    for (enum color color = WHITE; color <= BLACK; color++) {
        const struct match_seat *seat = &client->view.seats[color];
        if (seat->name[0] != '\0' && !seat->seated) {
            console_say(&client->console,
                        seat->online
                            ? N_("Match %s: waiting for %s to accept the challenge.")
                            : N_("Match %s: waiting for %s to accept the challenge (away now)."),
                        client->view.match, seat_shown(seat));
            return;
        }
    }
    /* Say how to join. The line is not broken, as it will be copied. */
    char line[HOSTING_LINE_MAX];
    if (client->front != NULL && hosting_page(client, line)) {
        hosting_warn(client); /* full screen shows all ways to join */
        return;
    }
    const char *words = hosting_write_join(client, line);
    console_say(&client->console, "Match %s is open. %s:", client->view.match, words);
    console_text(&client->console, "  ");
    console_text(&client->console, line);
    console_text(&client->console, "\n");
    hosting_warn(client);
}

static void tell_offer(struct client *client, enum offer what, const char *from)
{
    bool mine = match_state_seated(&client->view);

    char said[SENTENCE_MAX];

    sentence_about(mine ? offer_choice(what) : offer_request(what), from, said, sizeof said);
    console_say(&client->console, "%s", said);
}

/* Says which offers of others stand in the match on the screen that were not told. */
static void event_tell_new_offers(struct client *client, const bool told[OFFER_KINDS][2])
{
    const struct match_state *view = &client->view;

    for (enum offer what = OFFER_DRAW; what < OFFER_KINDS; what++)
        for (enum color color = WHITE; color <= BLACK; color++)
            if (view->offers[what][color] && !told[what][color] && !view->seats[color].mine)
                tell_offer(client, what, seat_shown(&view->seats[color]));
}

/* Says which offers stand in the match on the screen, on both sides. */
static void tell_standing_offers(struct client *client)
{
    static const bool none[OFFER_KINDS][2];
    const struct match_state *view = &client->view;
    char said[SENTENCE_MAX];
    enum color mine;

    event_tell_new_offers(client, none);
    if (!match_state_my_color(view, &mine))
        return;
    for (enum offer what = OFFER_DRAW; what < OFFER_KINDS; what++)
        if (view->offers[what][mine])
            console_say(&client->console, "%s",
                        sentence_about(offer_made(what), seat_shown(&view->seats[!mine]), said,
                                       sizeof said));
}

/* Says that a player of the match on the screen is away; an opponent learns when they may claim the
 * win. */
static void event_tell_away(struct client *client, enum color color, const char *name)
{
    const struct match_state *view = &client->view;
    const struct match_seat *seat = &view->seats[color];
    enum color mine;

    if (seat->claim_ms < 0 || view->status != STATE_PLAYING || !match_state_my_color(view, &mine)) {
        console_say(&client->console, "%s is away. The game waits.", name);
    } else if (seat->claim_ms == 0) {
        console_say(&client->console, "%s is away. You can claim the win now: `claim`", name);
    } else {
        console_say(&client->console, "%s is away. You can claim the win in %lld s: `claim`", name,
                    ((long long)seat->claim_ms + 999) / 1000);
        client->claim_due_ms = clock_ms() + seat->claim_ms;
    }
}

enum { HOUR_MS = 3600000, HOURS_SHOWN = 48 }; /* a longer time is shown in days */

/* Says that a side has not moved for long, and when the other may claim the win. */
static void tell_stall(struct client *client, enum color color)
{
    const struct match_seat *seat = &client->view.seats[color];
    long long hours = (long long)((seat->stall_ms + HOUR_MS - 1) / HOUR_MS);
    bool days = hours > HOURS_SHOWN;
    enum color mine;
    char when[40];

    if (!match_state_my_color(&client->view, &mine) || (seat->mine && mine != color))
        return;
    long long count = days ? hours / 24 : hours;
    snprintf(when, sizeof when,
             hours == 0 ? _("now")
             : days     ? text_counted("in %lld day", "in %lld days", (unsigned long)count)
                        : text_counted("in %lld hour", "in %lld hours", (unsigned long)count),
             count);
    if (seat->mine)
        console_say(&client->console, "It is your move for long. %s can claim the win %s.",
                    seat_shown(&client->view.seats[!color]), when);
    else
        console_say(&client->console,
                    "%s has not moved for long. You can claim the win %s: `claim`",
                    seat_shown(seat), when);
}

void event_tell_claim(struct client *client)
{
    const struct match_state *view = &client->view;
    enum color mine;

    if (view->known && view->status == STATE_PLAYING && match_state_my_color(view, &mine) &&
        !view->seats[!mine].online)
        console_say(&client->console, "%s is still away. You can claim the win now: `claim`",
                    seat_shown(&view->seats[!mine]));
}

/* Shows a state of the match on the screen, and says what has changed. */
static void event_show_state(struct client *client, const struct match_state *state)
{
    struct match_state before = client->view;
    enum color mine;
    bool changed = !before.known || client->looks_again || before.ply != state->ply ||
                   before.status != state->status;
    bool comes = !before.known || client->looks_again;

    client->view = *state;
    if (before.known) {
        /* Note the ratings before the end of the match on the screen. */
        for (enum color color = WHITE; color <= BLACK && client->view.status == STATE_OVER; color++)
            client->view.seats[color].rated_before = before.status == STATE_OVER
                                                         ? before.seats[color].rated_before
                                                         : before.seats[color].rating;
    }
    client->looks_again = false;
    if (client->front != NULL)
        client->front->show(client->front->context, &before);
    if (before.known && match_state_my_color(state, &mine) && match_state_my_turn(state) &&
        (before.ply != state->ply || before.status != state->status))
        client_ring(client);
    if (before.known && before.status == STATE_OPEN && state->status == STATE_PLAYING)
        console_say(&client->console, "The game begins.");
    if (before.known && state->ply < before.ply)
        tell_taken_back(client, before.ply - state->ply);
    if (before.known && match_is_rated(&before) && !state->rated)
        console_say(&client->console, "This match no longer counts for the ratings.");
    if (changed && state->status == STATE_OPEN)
        tell_open(client);
    else if (changed && client->front == NULL && client->handlers->draw != NULL)
        client->handlers->draw(client);
    if (comes)
        tell_standing_offers(client);
    else
        event_tell_new_offers(client, before.offers);
    for (enum color color = WHITE; color <= BLACK; color++)
        if (state->seats[color].stall_ms >= 0 && (comes || before.seats[color].stall_ms < 0))
            tell_stall(client, color);
    if (comes) {
        /* Say who is away when a match comes to the screen, if the win can be claimed. */
        for (enum color color = WHITE; color <= BLACK; color++) {
            const struct match_seat *seat = &client->view.seats[color];
            if (seat->seated && !seat->online && !seat->mine && seat->claim_ms >= 0 &&
                client->view.status == STATE_PLAYING)
                event_tell_away(client, color, seat_shown(seat));
        }
    }
}

static bool is_on_screen(const struct client *client, const char *match)
{
    return match[0] != '\0' && strcmp(match, client->view.match) == 0;
}

/* The text for a message to people. */
static const char *text_or_somebody(const cJSON *message, const char *name)
{
    return json_text_or(message, name, _("somebody"));
}

/* The name by which the player is shown whom a member of a message names. */
static const char *shown_or_somebody(const struct client *client, const cJSON *message,
                                     const char *member)
{
    const char *shown = names_shown_of(&client->names, message, member);

    return shown != NULL ? shown : _("somebody");
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
    if (is_on_screen(client, state.match))
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
                    names_shown(&client->names, offer->from), offer->match);
    } else if (strcmp(offer->match, client->rematch) == 0 && !offer->accepted) {
        client->rematch[0] = '\0';
    }
}

/* Notes an offer, or its end, in the match on the screen. */
static void show_offer(struct client *client, const struct match_offer *offer)
{
    bool told[OFFER_KINDS][2];
    char said[SENTENCE_MAX];

    memcpy(told, client->view.offers, sizeof told);
    client->view.offers[offer->what][offer->color] = offer->open;
    event_tell_new_offers(client, told);
    if (!offer->open && client->view.seats[offer->color].mine && !offer->accepted)
        console_say(&client->console, "%s",
                    sentence_about(offer_declined(offer->what),
                                   seat_shown(&client->view.seats[!offer->color]), said,
                                   sizeof said));
}

static void on_offer(struct client *client, const cJSON *message)
{
    struct match_offer offer;

    if (!match_offer_read(&offer, message))
        return;
    struct sitting *sitting = sitting_find(client, offer.match);
    if (sitting != NULL)
        sitting->told_offer[offer.what] = offer.open;
    if (is_on_screen(client, offer.match))
        show_offer(client, &offer);
    else if (offer.what == OFFER_REMATCH)
        note_rematch(client, &offer);
    else if (offer.open)
        event_tell_offer_elsewhere(client, offer.match, offer.what, offer.from);
}

/* Notes a line of chat; returns whether it was noted before. */
static bool note_chat(struct client *client, const char *parts[], int count)
{
    unsigned hash = 2166136261u; /* FNV-1a */
    bool known = false;

    for (int i = 0; i < count; i++) {
        const char *at = parts[i];
        do
            hash = (hash ^ (unsigned char)*at) * 16777619u;
        while (*at++ != '\0');
    }
    for (int i = 0; i < CHAT_SEEN_MAX; i++)
        known |= client->chat_seen[i] == hash;
    if (!known)
        client->chat_seen[client->chat_count++ % CHAT_SEEN_MAX] = hash;
    return known;
}

/* Shows a line of chat. What the server sends again after a lost connection was shown already. */
static void on_chat(struct client *client, const cJSON *message)
{
    const char *match = json_text_or(message, "match", "");
    const char *text = text_or_somebody(message, "text"), *to = json_text_or(message, "to", "");
    const char *name = text_or_somebody(message, "from");
    const char *parts[] = {match, name, text, to};
    char from[CHAT_FROM_MAX];

    if (note_chat(client, parts, 4) && json_true(message, "past"))
        return;
    snprintf(from, sizeof from, strcmp(to, "watchers") == 0 ? _("%s to watchers") : "%s",
             shown_or_somebody(client, message, "from"));
    if (is_on_screen(client, match)) {
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

    if (!is_on_screen(client, json_text_or(message, "match", "")) ||
        !json_color(message, "color", &color) || client->view.seats[color].mine)
        return;
    client->view.seats[color].online = online;
    client->view.seats[color].claim_ms = json_ms(message, "claim_ms");
    client->claim_due_ms = 0;
    if (online)
        console_say(&client->console, "%s is back.", shown_or_somebody(client, message, "name"));
    else
        event_tell_away(client, color, shown_or_somebody(client, message, "name"));
}

static void on_challenge(struct client *client, const cJSON *message)
{
    char game[GAME_NAME_MAX], variant[VARIANT_NAME_MAX], label[GAME_LABEL_MAX];
    char clock[CLOCK_LINE_MAX];
    enum color color;

    if (!match_id_is_valid(json_text(message, "match")))
        return;
    json_copy(client->challenge, sizeof client->challenge, message, "match");
    json_copy(game, sizeof game, message, "game");
    json_copy(variant, sizeof variant, message, "variant");
    console_say(&client->console,
                json_color(message, "color", &color) && color == BLACK
                    ? N_("%s challenges you to %s%s, you are black (match %s): accept or decline?")
                    : N_("%s challenges you to %s%s, you are white (match %s): accept or decline?"),
                shown_or_somebody(client, message, "from"), game_label(game, variant, label),
                clock_control(json_member(message, "clock"), clock), client->challenge);
}

/* The server has found an opponent. The match comes to the screen, unless another one runs there.
 */
static void on_paired(struct client *client, const cJSON *message)
{
    char game[GAME_NAME_MAX], variant[VARIANT_NAME_MAX], label[GAME_LABEL_MAX];
    const char *match = json_text_or(message, "match", "");
    bool busy = client->view.known && client->view.status == STATE_PLAYING &&
                match_state_seated(&client->view);
    enum color color;

    if (!match_id_is_valid(match))
        return;
    json_copy(game, sizeof game, message, "game");
    json_copy(variant, sizeof variant, message, "variant");
    console_say(&client->console,
                json_color(message, "color", &color) && color == BLACK
                    ? N_("Opponent found: %s, %s, you are black (match %s).")
                    : N_("Opponent found: %s, %s, you are white (match %s)."),
                shown_or_somebody(client, message, "opponent"), game_label(game, variant, label),
                match);
    if (!busy)
        client_show(client, match);
}

static void on_declined(struct client *client, const cJSON *message)
{
    const char *reason = text_or_somebody(message, "reason");

    console_say(
        &client->console,
        strcmp(reason, "no") != 0 ? N_("%s declines match %s: %s.") : N_("%s declines match %s."),
        shown_or_somebody(client, message, "from"), text_or_somebody(message, "match"), reason);
}

static void on_rematch(struct client *client, const cJSON *message)
{
    const char *next = json_text_or(message, "new", "");
    const char *match = json_text_or(message, "match", "");
    bool elsewhere = match[0] != '\0' && strcmp(match, client->rematch) == 0;
    bool seated = elsewhere || match_state_seated(&client->view);

    if (!match_id_is_valid(next) || (!elsewhere && !is_on_screen(client, match)))
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
    if (client->looks_again && strcmp(json_text_or(message, "code", ""), "unknown-match") == 0)
        client_show(client, "");
}

/* The table of a tournament asks the server for everything after news. */
static void on_tournament(struct client *client, const cJSON *message)
{
    (void)message;
    client->tournament_news++;
}

/* Another window of this guest has taken a name. */
static void on_name(struct client *client, const cJSON *message)
{
    (void)message;
    login_keep_token(client, false);
    console_say(&client->console, "You are %s now: another window of yours has taken that name.",
                client->uplink.name);
}

static void on_windows(struct client *client, const cJSON *message)
{
    json_int(message, "count", &client->windows);
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
        {"tournament", on_tournament}, {"windows", on_windows},     {"name", on_name},
    };
    const char *type = json_text_or(message, "type", "");

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(type, rows[i].type) == 0)
            rows[i].handle(client, message);
}
