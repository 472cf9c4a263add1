#include "line_mode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/link/json_read.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/event.h"
#include "client/ludus/talk/hosting.h"
#include "client/ludus/talk/login.h"
#include "client/ludus/talk/play.h"
#include "common/xmalloc.h"

/* The verbs of the server, for Tab and to tell a command from a move. */
struct verbs {
    cJSON *reply; /* to `help`, owned */
    const cJSON *rows;
};

static const char *verb_at(const void *context, int index)
{
    const struct verbs *verbs = context;

    return json_text(cJSON_GetArrayItem(verbs->rows, index), "verb");
}

static const char help[] =
    N_("Type moves, such as b2b3, and commands:\n"
       "  new clobber black=bot:greedy   play a bot; new clobber white=me black=me: both sides\n"
       "  new clobber                    open a match; list, join MATCH, watch MATCH find one\n"
       "  seek clobber clock=300+5       let the server find an opponent; tournaments lists those\n"
       "  draw, undo, rematch            ask for it, or accept it; decline MATCH refuses\n"
       "  games, help, help VERB, quit   the rules in short; all commands; one of them; the end");

/* Forgets what only events as JSON keep up to date. */
static void forget_news(struct client *client)
{
    memset(client->sittings, 0, sizeof client->sittings);
    client->claim_due_ms = 0;
}

/* Shows a line of the server. A bare pong answers the ping that this program sends after a minute
 * of silence. */
static void on_message(struct client *client, const cJSON *message)
{
    const char *line = cJSON_GetStringValue(message);
    struct uplink *uplink = &client->uplink;
    bool watches = client->view.known && !match_state_seated(&client->view);

    if (line == NULL) { /* the server has not read `set format=text` yet */
        event_handle(client, message);
        if (uplink->link.keeps_text)
            forget_news(client);
        return;
    }
    if (strncmp(line, "bye: ", 5) == 0)
        snprintf(uplink->bye, sizeof uplink->bye, "%s", line + 5);
    else if (strcmp(line, "pong") != 0)
        console_say(&client->console, "%s", line);
    /* "over: 1-0, white wins (score)" ends a state; a row of the lobby begins "over: 12  ". */
    if (watches && strncmp(line, "over: ", 6) == 0 && line[6 + strcspn(line + 6, " ,")] == ',')
        client->quit = true;
}

/* Changes to text, and asks for every match of the player, as states that came before are not
 * shown. */
static void begin_text(struct client *client)
{
    const char *match = client->view.match;

    client->uplink.link.keeps_text = true;
    client_post(client, "set format=text");
    for (int i = 0; i < SITTINGS_MAX; i++)
        if (client->sittings[i].match[0] != '\0' &&
            strcmp(client->sittings[i].match, client->view.match) != 0)
            client_post(client, "state %s", client->sittings[i].match);
    if (match[0] != '\0')
        client_post(client, "state %s", match);
    forget_news(client);
    if (client->challenge[0] != '\0')
        console_say(&client->console, "`join %s` accepts the challenge, `decline %s` refuses it.",
                    client->challenge, client->challenge);
}

static void come_back(struct client *client)
{
    login_again(client);
    client->asked_to_quit = false; /* the server may not have read it */
    /* The player's matches come before the reply. Without one, the connection was lost again, and
     * text has begun on the next. */
    if (!client->quit && client_do(client, "ping"))
        begin_text(client);
}

static void on_interrupt(struct client *client)
{
    if (hosting_invitation(client) != NULL && input_is_typed(&client->input))
        console_say(&client->console, "The server ends if you quit.");
}

static const struct client_handlers handlers = {.message = on_message,
                                                .lost = come_back,
                                                .claim_due = event_tell_claim,
                                                .interrupted = on_interrupt};

/* Whether the player wants to end the server that they host. */
static bool confirms_end(struct client *client)
{
    if (hosting_invitation(client) == NULL || !input_is_typed(&client->input))
        return true;
    console_say(&client->console, "%s", hosting_question(client));
    const char *answer = client_await_line(client, "(y/n) ");
    return answer != NULL && (answer[0] | ' ') == 'y';
}

/* Sends a line as it is, or as a move if it looks like one: it begins with no verb of the server,
 * and names a square. */
static void send_line(struct client *client, const struct verbs *verbs, const char *line)
{
    char word[32] = "", sent[TYPED_LINE_MAX];
    const cJSON *row;
    bool command = false;

    sscanf(line, " %31s", word);
    bool move = strpbrk(line, "0123456789") != NULL || strcasecmp(word, "pass") == 0;
    cJSON_ArrayForEach (row, verbs->rows)
        command = command || strcasecmp(word, json_text_or(row, "verb", "")) == 0;
    input_remember(&client->input, line);
    if (word[0] == '\0' || word[0] == '#')
        return;
    if (strcasecmp(word, "quit") == 0) {
        if (confirms_end(client)) /* the answer has taken the place of the line */
            client_post(client, "quit");
        return;
    }
    const char *fault = client_line_fault(client, line);
    if (fault != NULL)
        console_say(&client->console, "%s", fault);
    else if (snprintf(sent, sizeof sent, "%s%s", move && !command ? "move " : "", line) >=
             TYPED_LINE_MAX)
        client_tell_too_long(client);
    else
        uplink_send(&client->uplink, "%s", sent);
}

static void greet(struct client *client, enum beginning beginning)
{
    const char *name = client->uplink.hello.name;

    console_say(&client->console, "Playing as %s on %s.\n%s", name[0] != '\0' ? name : _("a guest"),
                client->uplink.servers.at, help);
    hosting_print_code(client);
    while (!client->quit && client->view.match[0] != '\0' && !client->view.known)
        client_wait(client, NULL); /* is it watched, or played? */
    begin_text(client);
    if (beginning == BEGIN_JOIN)
        client_post(client, "list status=open");
    if (beginning == BEGIN_SEEK)
        console_say(&client->console, "The server looks for an opponent; `unseek` stops that.");
    if (beginning == BEGIN_ALONE)
        play_tell_alone(client);
}

void line_mode_run(struct client *client, enum beginning beginning)
{
    struct verbs verbs = {.reply = client_request(client, "help")};

    verbs.rows = json_member(verbs.reply, "commands");
    client->input.candidate = verb_at;
    client->input.context = &verbs;
    client->handlers = &handlers;
    client->go = false;
    if (!client->quit)
        greet(client, beginning);
    while (!client->quit) {
        bool watches = client->view.known && !match_state_seated(&client->view);
        const char *line = client_line(client, "> ");
        if (line != NULL) {
            send_line(client, &verbs, line);
        } else if (input_has_more(&client->input) || watches || client->asked_to_quit) {
            client_wait(client, "> ");
        } else {
            client_post(client, "quit");
            client->asked_to_quit = true;
        }
    }
    cJSON_Delete(verbs.reply);
}
