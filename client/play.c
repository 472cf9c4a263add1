#include "play.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/link/json_read.h"
#include "command.h"
#include "house.h"
#include "sitting.h"

enum { MOVE_TYPED_MAX = 32 }; /* bytes with the final NUL; longer ones are no moves anywhere */

/* The reply names the match; its state comes behind it. */
static bool show_opened(struct client *client, const cJSON *reply)
{
    char match[MATCH_ID_MAX];

    if (reply == NULL || !client_accepted(client, reply))
        return false;
    json_copy(match, sizeof match, reply, "match");
    client_show(client, match);
    return true;
}

/* The house bots that are here, for somebody who has asked for another one. */
static void list_house_bots(struct client *client)
{
    struct house house;
    char list[HOUSE_MAX * (HOUSE_NAME_MAX + 2)] = "";
    size_t used = 0;

    house_list(client, &house);
    for (int i = 0; i < house.count; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
                                 house.names[i]);
    if (used > 0)
        console_say(&client->console, "The house bots here are %s.", list);
    else
        console_say(&client->console, "There are no house bots here.");
}

static bool is_house_bot(const char *seat)
{
    return seat != NULL && strncmp(seat, "bot:", 4) == 0;
}

bool play_open(struct client *client, const struct plan *plan)
{
    const char *white = plan->white, *black = plan->black, *position = plan->position,
               *clock = plan->clock;
    cJSON *reply = client_request(
        client, "new %s%s%s%s%s%s%s%s%s", plan->game, white != NULL ? " white=" : "",
        white != NULL ? white : "", black != NULL ? " black=" : "", black != NULL ? black : "",
        clock != NULL ? " clock=" : "", clock != NULL ? clock : "",
        position != NULL ? " position=" : "", position != NULL ? position : "");
    bool opened = show_opened(client, reply);

    if (strcmp(json_text_or(reply, "code", ""), "unknown-player") == 0 &&
        (is_house_bot(white) || is_house_bot(black)))
        list_house_bots(client);
    cJSON_Delete(reply);
    return opened;
}

/* Who sits there already looks at it: joining again would take the other seat as well. */
bool play_join(struct client *client, const char *match)
{
    if (sitting_has(client, match))
        return play_watch(client, match);
    cJSON *reply = client_request(client, "join %s", match);
    bool joined = show_opened(client, reply);
    cJSON_Delete(reply);
    return joined;
}

bool play_watch(struct client *client, const char *match)
{
    cJSON *reply = client_request(client, "watch %s", match);
    bool watches = show_opened(client, reply);

    cJSON_Delete(reply);
    return watches;
}

static bool is_finished(const struct match_state *view)
{
    return view->match[0] == '\0' || (view->known && view->status == STATE_OVER);
}

/* Whether an offer of mine waits for the answer of a bot, which comes soon. */
static bool bot_will_answer(const struct match_state *view)
{
    enum color mine;

    if (!match_state_my_color(view, &mine) || !view->seats[!mine].bot)
        return false;
    return view->offers[OFFER_DRAW][mine] || view->offers[OFFER_UNDO][mine];
}

/* Whether the next line counts now. A person types when he likes; what was put into a pipe ahead
 * is played in order, each line when it is our turn. */
static bool wants_line(const struct client *client)
{
    const struct match_state *view = &client->view;

    if (!view->known || client->awaiting)
        return false;
    return client->input.interactive || (match_state_my_turn(view) && !bot_will_answer(view));
}

/* With no more input: whether the match moves on without us. It does for a watcher, and while a
 * bot thinks; a person on the other side may take for ever. */
static bool moves_on(const struct client *client)
{
    const struct match_state *view = &client->view;

    if (client->input.interactive)
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

/* Sends the move until it is known to have arrived. With the ply it cannot count twice: when the
 * connection was lost, the state that comes after says whether it has counted. */
static void send_move(struct client *client, const char *move)
{
    int ply = client->view.ply;
    cJSON *reply = NULL;

    while (!client->quit && match_state_my_turn(&client->view) && client->view.ply == ply) {
        reply = client_request(client, "move %s %s ply=%d", client->view.match, move, ply);
        if (reply != NULL)
            break;
        while (!client->quit && client->awaiting)
            client_wait(client, NULL);
    }
    if (reply != NULL && client_accepted(client, reply))
        client->awaiting = true;
    cJSON_Delete(reply);
}

/* "B2 b3" is b2b3, and so is "move b2b3", as it is typed to the server. False for what cannot be
 * a move: all have a square in them but the pass. */
static bool read_move(const char *line, char move[MOVE_TYPED_MAX])
{
    size_t length = 0;

    if (strncasecmp(line, "move ", 5) == 0)
        line += 5;
    for (; *line != '\0'; line++) {
        if (isspace((unsigned char)*line))
            continue;
        if (length == MOVE_TYPED_MAX - 1)
            return false;
        move[length++] = *line;
    }
    move[length] = '\0';
    return strpbrk(move, "0123456789") != NULL || strcasecmp(move, "pass") == 0;
}

static void play_move(struct client *client, const char *line)
{
    const struct match_state *view = &client->view;
    struct console *console = &client->console;
    char move[MOVE_TYPED_MAX];

    if (!read_move(line, move))
        console_say(console, "'%.40s' is no move and no command; `help` lists the commands.", line);
    else if (!match_state_seated(view))
        console_say(console, "You are watching: only the players move.");
    else if (view->status == STATE_OPEN)
        console_say(console, "The match has not begun: it waits for the other player.");
    else if (!match_state_my_turn(view))
        console_say(console, "It is %s's turn: wait for %s to move.", color_name(view->turn),
                    view->seats[view->turn].name);
    else
        send_move(client, move);
}

void play_line(struct client *client, const char *line)
{
    line += strspn(line, " \t");
    input_remember(&client->input, line);
    if (line[0] != '\0' && !command_run(client, line))
        play_move(client, line);
}

static void end_of_input(struct client *client)
{
    console_say(&client->console, "The input has ended; match %s is left as it stands.",
                client->view.match);
    client->quit = true;
}

void play_run(struct client *client)
{
    const char *prompt, *line;

    while (!client->quit && !is_finished(&client->view)) {
        client->go = false;
        prompt = wants_line(client) ? prompt_of(&client->view) : NULL;
        line = prompt != NULL ? client_line(client, prompt) : NULL;
        if (line != NULL)
            play_line(client, line);
        else if (input_has_more(&client->input) || moves_on(client))
            client_wait(client, prompt);
        else
            end_of_input(client);
    }
    client->go = false;
}

const char *play_candidate(const void *context, int index)
{
    const struct match_state *view = &((const struct client *)context)->view;

    if (index < view->legal_count)
        return view->legal[index];
    return command_name(index - view->legal_count);
}
