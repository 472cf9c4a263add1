#include "event_tell.h"

#include <stdio.h>
#include <string.h>

#include "client/model/match_words.h"
#include "client/term/match_draw.h"
#include "hosting.h"

enum { WAY_MAX = MATCH_ID_MAX + 24 }; /* bytes with the final NUL */

/* Says how to get there where commands are typed; the menu of the full screen has a row for it. */
static const char *way_there(const struct client *client, const char *match, char text[WAY_MAX])
{
    if (client->front != NULL && client->view.match[0] == '\0')
        return "";
    snprintf(text, WAY_MAX, " `go %s` shows it.", match);
    return text;
}

void event_tell_offer_elsewhere(struct client *client, const char *match, enum offer what,
                                const char *from)
{
    char way[WAY_MAX];

    console_say(&client->console, "Match %s: %s %s.%s", match, from, offer_request(what),
                way_there(client, match, way));
}

/* Reports a match that is not on the screen when it is the player's turn there, or something is
 * offered. */
static void tell_sitting(struct client *client, struct sitting *sitting)
{
    char way[WAY_MAX];

    if (!client->begun)
        return;
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
    client->begun = true;
    for (int i = 0; i < SITTINGS_MAX; i++) {
        struct sitting *sitting = &client->sittings[i];
        if (sitting->match[0] != '\0' && strcmp(sitting->match, client->view.match) != 0)
            tell_sitting(client, sitting);
    }
}

void event_tell_elsewhere(struct client *client, const struct match_state *view,
                          struct sitting *sitting)
{
    if (sitting != NULL)
        tell_sitting(client, sitting);
    if (match_state_seated(view) && view->status == STATE_OVER)
        console_say(&client->console, "Match %s is over: %s (%s).", view->match, view->result,
                    view->reason);
}

/* Says how to join. The line is not broken, as it will be copied. */
static void tell_how_to_join(struct client *client)
{
    char line[HOSTING_LINE_MAX];
    const char *words = hosting_write_join(client, line);

    console_say(&client->console, "Match %s is open. %s:", client->view.match, words);
    console_text(&client->console, "  ");
    console_text(&client->console, line);
    console_text(&client->console, "\n");
    hosting_warn(client);
}

static void tell_open(struct client *client)
{
    for (enum color color = WHITE; color <= BLACK; color++) {
        const struct match_seat *seat = &client->view.seats[color];
        if (seat->name[0] != '\0' && !seat->seated) {
            console_say(&client->console, "Match %s: waiting for %s to accept the challenge%s.",
                        client->view.match, seat->name, seat->online ? "" : " (away now)");
            return;
        }
    }
    tell_how_to_join(client);
}

static void tell_offer(struct client *client, enum offer what, const char *from)
{
    bool mine = match_state_seated(&client->view);

    console_say(&client->console, "%s %s%s", from, offer_request(what),
                mine ? ": accept or decline?" : ".");
}

void event_tell_new_offers(struct client *client, const bool told[OFFER_KINDS][2])
{
    const struct match_state *view = &client->view;

    for (enum offer what = OFFER_DRAW; what < OFFER_KINDS; what++)
        for (enum color color = WHITE; color <= BLACK; color++)
            if (view->offers[what][color] && !told[what][color] && !view->seats[color].mine)
                tell_offer(client, what, view->seats[color].name);
}

void event_tell_offers(struct client *client)
{
    static const bool none[OFFER_KINDS][2];
    const struct match_state *view = &client->view;
    enum color mine;

    event_tell_new_offers(client, none);
    if (!match_state_my_color(view, &mine))
        return;
    for (enum offer what = OFFER_DRAW; what < OFFER_KINDS; what++)
        if (view->offers[what][mine])
            console_say(&client->console, "%s. Waiting for %s.", offer_made(what),
                        view->seats[!mine].name);
}

static void tell_how_to_move(struct client *client)
{
    const struct match_state *view = &client->view;

    if (client->hinted || client->front != NULL || !input_is_typed(&client->input) ||
        !match_state_my_turn(view))
        return;
    client->hinted = true;
    console_say(&client->console,
                "Capital letters are white's. Type a move%s%s; `moves` lists them, `help` all "
                "commands.",
                view->legal_count > 0 ? ", such as " : "",
                view->legal_count > 0 ? view->legal[0] : "");
}

/* Slows down matches between two bots, so that people see each move. */
static void pace(struct client *client, const struct match_state *before)
{
    enum { PACE_MS = 350, CATCH_UP_MS = 50, BACKLOG_BYTES = 8192 };
    const struct match_state *view = &client->view;
    bool behind = client->uplink.link.used > BACKLOG_BYTES;

    if ((client->front != NULL || input_prompts(&client->input)) && before->known &&
        view->seats[WHITE].bot && view->seats[BLACK].bot && view->ply > before->ply)
        client->paced_ms = clock_ms() + (behind ? CATCH_UP_MS : PACE_MS);
}

void event_tell_away(struct client *client, enum color color, const char *name)
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

void event_tell_claim(struct client *client)
{
    const struct match_state *view = &client->view;
    enum color mine;

    client->claim_due_ms = 0;
    if (view->known && view->status == STATE_PLAYING && match_state_my_color(view, &mine) &&
        !view->seats[!mine].online)
        console_say(&client->console, "%s is still away. You can claim the win now: `claim`",
                    view->seats[!mine].name);
}

/* Says who is away when a match comes to the screen, if the win can be claimed. */
static void tell_who_is_away(struct client *client)
{
    for (enum color color = WHITE; color <= BLACK; color++) {
        const struct match_seat *seat = &client->view.seats[color];
        if (seat->seated && !seat->online && !seat->mine && seat->claim_ms >= 0 &&
            client->view.status == STATE_PLAYING)
            event_tell_away(client, color, seat->name);
    }
}

/* Whether this state has made it the player's turn. */
static bool brings_turn(const struct match_state *before, const struct match_state *state)
{
    enum color mine;

    return before->known && match_state_my_color(state, &mine) && match_state_my_turn(state) &&
           (before->ply != state->ply || before->status != state->status);
}

/* Notes the ratings before the end of the match on the screen. */
static void note_ratings(struct match_state *view, const struct match_state *before)
{
    for (enum color color = WHITE; color <= BLACK && view->status == STATE_OVER; color++)
        view->seats[color].rated_before = before->status == STATE_OVER
                                              ? before->seats[color].rated_before
                                              : before->seats[color].rating;
}

/* Says what can be done after the end, where commands are typed. */
static void tell_what_next(struct client *client)
{
    if (client->front == NULL && input_is_typed(&client->input) &&
        match_state_seated(&client->view))
        console_say(&client->console,
                    "Type `rematch`, `review` (where was it lost?), `record` or `menu`.");
}

void event_show_state(struct client *client, const struct match_state *state)
{
    struct match_state before = client->view;
    bool changed = !before.known || client->redraw || before.ply != state->ply ||
                   before.status != state->status;
    bool comes = !before.known || client->redraw;

    client->view = *state;
    if (before.known)
        note_ratings(&client->view, &before);
    pace(client, &before);
    client->awaiting = client->redraw = false;
    if (client->front != NULL)
        client->front->show(client->front->context, &before);
    if (brings_turn(&before, state))
        client_ring(client);
    if (before.known && before.status == STATE_OPEN && state->status == STATE_PLAYING)
        console_say(&client->console, "The game begins.");
    if (before.known && state->ply < before.ply)
        console_say(&client->console, "Taken back: the match is at ply %d again.", state->ply);
    if (changed && state->status == STATE_OPEN)
        tell_open(client);
    else if (changed && client->front == NULL)
        draw_match(&client->console, &client->view, client->turned, clock_ms());
    if (before.known && before.status == STATE_PLAYING && state->status == STATE_OVER)
        tell_what_next(client);
    if (comes)
        event_tell_offers(client);
    else
        event_tell_new_offers(client, before.offers);
    if (comes)
        tell_who_is_away(client);
    tell_how_to_move(client);
}
