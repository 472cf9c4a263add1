#include "match_lines.h"

#include "client/play/typing.h"

static bool is_finished(const struct match_state *view)
{
    return view->match[0] == '\0' || (view->known && view->status == STATE_OVER);
}

/* Whether a bot is about to answer an offer of mine. */
static bool bot_will_answer(const struct match_state *view)
{
    enum color mine;

    if (!match_state_my_color(view, &mine) || !view->seats[!mine].bot)
        return false;
    return view->offers[OFFER_DRAW][mine] || view->offers[OFFER_UNDO][mine];
}

/* Whether to take the next line now. A person may type at any time; lines from a pipe are played in
 * order, each when it is our turn. */
static bool wants_line(const struct client *client)
{
    const struct match_state *view = &client->view;

    if (!view->known || client->awaiting)
        return false;
    return input_is_typed(&client->input) || (match_state_my_turn(view) && !bot_will_answer(view));
}

/* Whether the match goes on without input. It does for a watcher and while a bot thinks; a person
 * on the other side may never move. */
static bool moves_on(const struct client *client)
{
    const struct match_state *view = &client->view;

    if (input_is_typed(&client->input))
        return false;
    if (!view->known || client->awaiting || !match_state_seated(view))
        return true;
    return view->status == STATE_PLAYING && !match_state_my_turn(view) &&
           view->seats[view->turn].bot;
}

static const char *prompt_of(const struct match_state *view)
{
    if (view->status == STATE_OPEN)
        return "waiting> ";
    if (!match_state_seated(view))
        return "watching> ";
    if (match_state_my_turn(view))
        return view->turn == WHITE ? "white to move> " : "black to move> ";
    return view->turn == WHITE ? "waiting for white> " : "waiting for black> ";
}

static void end_of_input(struct client *client)
{
    console_say(&client->console, "The input has ended; match %s is left as it stands.",
                client->view.match);
    client->quit = true;
}

void match_lines_run(struct client *client)
{
    const char *prompt, *line;

    while (!client->quit && !is_finished(&client->view)) {
        client->go = false;
        prompt = wants_line(client) ? prompt_of(&client->view) : NULL;
        line = prompt != NULL ? client_line(client, prompt) : NULL;
        if (line != NULL)
            typing_take(client, line);
        else if (input_has_more(&client->input) || moves_on(client))
            client_wait(client, prompt);
        else
            end_of_input(client);
    }
    client->go = false;
}
