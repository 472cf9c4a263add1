#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/link/json_read.h"
#include "client/talk/client_request.h"
#include "client/talk/event.h"
#include "client/term/columns.h"
#include "client/term/match_draw.h"
#include "script.h"
#include "subcommands.h"

const struct usage_row watch_rows[] = {
    SCRIPT_SERVER_ROWS,
    SCRIPT_GUEST_ROW,
    SCRIPT_JSON_ROW,
    {OPTION("plain", NULL, "print a line for each state, one tab between fields"),
     .code = SCRIPT_PLAIN},
    SCRIPT_HELP_ROW,
    {.name = NULL},
};

#define STATE_FIELDS "match status ply turn last result reason position"
#define LOBBY_FIELDS "what match game variant white black status ply"

static const char watch_help[] =
    "Prints each state of a match and its chat until the match is over. With lobby\n"
    "it prints matches that are opened, started and over until it is interrupted.\n"
    "The fields of --plain are\n"
    "  " STATE_FIELDS "\n"
    "those of the lobby, always with one tab between them, are\n"
    "  " LOBBY_FIELDS;

static const char state_help[] = "Prints a match. The fields of --plain are\n"
                                 "  " STATE_FIELDS;

/* Replies to our own commands are not printed. */
static bool is_housekeeping(const char *type)
{
    return strcmp(type, "pong") == 0 || strcmp(type, "ok") == 0;
}

static void show_state(struct script *script, const cJSON *state)
{
    struct match_state view;
    struct cause cause;

    if (script->values[SCRIPT_PLAIN] != NULL)
        columns_print_row(state, STATE_FIELDS);
    else if (match_state_read(&view, state, client_now_ms(), &cause))
        draw_match(&script->client.console, &view, false, client_now_ms());
    else
        client_fail(&script->client, "%s: %s", script->what, cause.text);
}

/* Whether the message ends the watched match. */
static bool is_end(const struct client *client, const cJSON *message)
{
    return strcmp(json_text_or(message, "type", ""), "state") == 0 &&
           strcmp(json_text_or(message, "match", ""), client->view.match) == 0 &&
           strcmp(json_text_or(message, "status", ""), "over") == 0;
}

static void show(struct script *script, const cJSON *message)
{
    const char *type = json_text_or(message, "type", "");

    if (is_housekeeping(type))
        return;
    else if (script->values[SCRIPT_JSON] != NULL)
        script_print_json(message);
    else if (strcmp(type, "lobby") == 0)
        columns_print_row(message, LOBBY_FIELDS);
    else if (script->values[SCRIPT_PLAIN] == NULL)
        event_handle(&script->client, message);
    else if (strcmp(type, "state") == 0)
        show_state(script, message);
}

/* Shows what comes until the match is over, the connection ends or the output is closed. */
static void follow(struct script *script)
{
    struct client *client = &script->client;
    bool ended = false;

    while (!ended && !client->quit && script_flush(script)) {
        cJSON *message = client_message(client, -1);
        if (message != NULL)
            show(script, message);
        else if (!client->quit && client->uplink.bye[0] != '\0')
            client_fail(client, "%s: the server ends the connection: %s", client->uplink.address,
                        client->uplink.bye);
        else if (!client->quit)
            client_fail(client, "%s: the connection is lost", client->uplink.address);
        ended = is_end(client, message);
        cJSON_Delete(message);
    }
}

static void watch(struct script *script)
{
    cJSON *reply = script_ask(script, "watch %s", script->words[0]);

    if (reply == NULL)
        return;
    client_show(&script->client, json_text_or(reply, "match", ""));
    cJSON_Delete(reply);
    follow(script);
}

static void state(struct script *script)
{
    cJSON *reply = script_ask(script, "state %s", script->words[0]);

    if (reply != NULL && strcmp(json_text_or(reply, "type", ""), "state") != 0)
        client_fail(&script->client, "%s: the reply is not a state", script->what);
    else if (reply != NULL && script->values[SCRIPT_JSON] != NULL)
        script_print_json(reply);
    else if (reply != NULL)
        show_state(script, reply);
    cJSON_Delete(reply);
}

int watch_main(const struct usage_command *command, int argc, char *argv[])
{
    bool goes_on = strcmp(argv[0], "watch") == 0;
    struct script script;
    int status;

    if (!script_read(&script, command, argc, argv, 1, 1, goes_on ? watch_help : state_help,
                     &status))
        return status;
    if (script_begin(&script, false)) {
        if (goes_on)
            watch(&script);
        else
            state(&script);
    }
    return script_end(&script);
}
