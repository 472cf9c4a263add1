/* The subcommands for scripts: lists, what a player does, matches as they stand or go on, records.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "client/link/json_read.h"
#include "client/model/record.h"
#include "client/play/play.h"
#include "client/talk/client_request.h"
#include "client/talk/event.h"
#include "client/term/columns.h"
#include "client/term/match_draw.h"
#include "script.h"
#include "subcommands.h"

enum { LINE_MAX_BYTES = 1024, HELP_MAX = 1024 };

/* Rows of the option tables: the server, the name, and the form of the output. */
/* clang-format off */
#define SERVER_ROWS CONNECT_ROW, TLS_ROW, CODE_ROW
#define GUEST_ROW {OPTION("name", "NAME", "your name there; without it you are a guest"), TO_TEXT(options, name)}
#define NAME_ROW \
    {OPTION("name", "NAME", "your name there (the name of your account). This\n" \
                     "disconnects a client of the same name: play there\n" \
                     "instead, or give another name"), TO_TEXT(options, name)}
#define JSON_ROW {OPTION("json", NULL, "print the server's JSON, one object a line"), TO_FLAG(options, json)}
/* clang-format on */

const struct usage_row ask_rows[] = {
    SERVER_ROWS,
    GUEST_ROW,
    JSON_ROW,
    {OPTION("plain", NULL, "one tab between fields and no titles, even on a terminal"),
     TO_FLAG(options, plain)},
    HELP_ROW,
    {.name = NULL},
};

const struct usage_row new_rows[] = {
    SERVER_ROWS,
    NAME_ROW,
    {OPTION("white", "SEAT",
            "who plays white: me, open (anyone who joins), bot:LEVEL or a\nplayer's NAME"),
     TO_TEXT(options, match.white)},
    {OPTION("black", "SEAT", "who plays black; a seat not given is yours, or else open"),
     TO_TEXT(options, match.black)},
    CLOCK_ROW,
    POSITION_ROW,
    {OPTION("private", NULL, "hide the match from lists; its id cannot be guessed"),
     TO_FLAG(options, match.hidden)},
    JSON_ROW,
    HELP_ROW,
    {.name = NULL},
};

const struct usage_row move_rows[] = {
    SERVER_ROWS,
    NAME_ROW,
    {OPTION("ply", "N", "play only if exactly N moves have been played"), TO_TEXT(options, ply)},
    JSON_ROW,
    HELP_ROW,
    {.name = NULL},
};

const struct usage_row say_rows[] = {SERVER_ROWS, GUEST_ROW, JSON_ROW, HELP_ROW, {.name = NULL}};

const struct usage_row watch_rows[] = {
    SERVER_ROWS,
    GUEST_ROW,
    JSON_ROW,
    {OPTION("plain", NULL, "print a line for each state, one tab between fields"),
     TO_FLAG(options, plain)},
    HELP_ROW,
    {.name = NULL},
};

const struct usage_row record_rows[] = {
    SERVER_ROWS,
    GUEST_ROW,
    {OPTION("pgn", NULL, "print PGN, which `ludus replay` reads"), TO_FLAG(options, pgn)},
    {OPTION("times", NULL, "add the time of each move to PGN"), TO_FLAG(options, times)},
    {OPTION("json", NULL, "print JSON, the default"), TO_FLAG(options, json)},
    HELP_ROW,
    {.name = NULL},
};

#define STATE_FIELDS "match status ply turn last result reason position"
#define LOBBY_FIELDS "what match game variant white black status ply"

/* A subcommand. The word is its verb to the server, too. */
struct action {
    const char *word;
    int least, most; /* arguments; a negative `most`: any number */
    bool named;      /* needs the player's name */
    void (*run)(struct script *script, const struct action *action);
    /* Prints the reply for people; NULL: nothing to print. */
    void (*print)(struct script *script, const struct action *action, const cJSON *reply);
    const char *list;   /* of print_list: the member of the reply; NULL: all members */
    const char *fields; /* of print_list: the first names items that are no objects */
    const char *text;   /* of --help */
};

/* Makes a row of each plain value of the reply, or of each text of the list. */
static cJSON *make_rows(const struct action *action, const cJSON *reply)
{
    const cJSON *list = action->list != NULL ? json_member(reply, action->list) : reply;
    const cJSON *item;
    cJSON *rows = cJSON_CreateArray();

    cJSON_ArrayForEach (item, list) {
        if (action->list == NULL && strcmp(item->string, "type") == 0)
            continue;
        cJSON *row = cJSON_CreateObject();
        if (action->list == NULL)
            cJSON_AddStringToObject(row, "name", item->string);
        cJSON_AddItemReferenceToObject(row, action->list == NULL ? "value" : action->fields,
                                       (cJSON *)item);
        cJSON_AddItemToArray(rows, row);
    }
    return rows;
}

static void print_list(struct script *script, const struct action *action, const cJSON *reply)
{
    struct console *console = &script->client.console;
    const cJSON *list = action->list != NULL ? json_member(reply, action->list) : NULL;
    bool objects = list != NULL && cJSON_IsObject(list->child);
    cJSON *made = objects ? NULL : make_rows(action, reply);

    columns_print(console, objects ? list : made, action->fields, script_is_aligned(script));
    if (list != NULL && script_is_aligned(script))
        columns_print_rest(console, reply, action->list);
    cJSON_Delete(made);
}

static void print_match(struct script *script, const struct action *action, const cJSON *reply)
{
    (void)script;
    (void)action;
    puts(json_text_or(reply, "match", "-"));
}

static void print_state(struct script *script, const struct action *action, const cJSON *state)
{
    struct match_state view;
    struct cause cause;

    (void)action;
    if (script->line.options.plain)
        columns_print_row(&script->client.console, state, STATE_FIELDS);
    else if (match_state_read(&view, state, clock_ms(), &cause))
        draw_match(&script->client.console, &view, false, clock_ms());
    else
        client_fail(&script->client, "%s: %s", script->what, cause.text);
}

static void print_record(struct script *script, const struct action *action, const cJSON *reply)
{
    bool pgn = script->line.options.pgn;
    struct cause cause;
    char *text = pgn ? record_pgn(reply, script->line.options.times, &cause) : NULL;

    (void)action;
    if (!pgn)
        script_print_json(reply);
    else if (text == NULL)
        client_fail(&script->client, "%s: %s", script->what, cause.text);
    else
        fputs(text, stdout);
    free(text);
}

/* Sends the verb and the arguments. They are joined by single spaces, as the shell has not kept the
 * original ones. */
static cJSON *ask_words(struct script *script, const struct action *action)
{
    const char *ply = script->line.options.ply;
    char text[LINE_MAX_BYTES];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", action->word);

    for (int i = 0; i < script->line.word_count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", script->line.words[i]);
    return script_ask(script, "%s%s%s", text, ply != NULL ? " ply=" : "", ply != NULL ? ply : "");
}

/* Prints and frees a reply; NULL was reported. */
static void finish(struct script *script, const struct action *action, cJSON *reply)
{
    if (reply != NULL && script->line.options.json)
        script_print_json(reply);
    else if (reply != NULL && action->print != NULL)
        action->print(script, action, reply);
    cJSON_Delete(reply);
}

/* Asks for something; the reply has the type that the command is called. */
static void run_ask(struct script *script, const struct action *action)
{
    cJSON *reply = ask_words(script, action);

    if (reply == NULL || strcmp(json_text_or(reply, "type", ""), action->word) == 0) {
        finish(script, action, reply);
        return;
    }
    client_fail(&script->client, "%s: unexpected reply", script->what);
    cJSON_Delete(reply);
}

/* Asks for a history by name, so that no other client loses the name to this one. */
static void run_history(struct script *script, const struct action *action)
{
    const char *name = script->line.options.name;

    if (script->line.word_count == 0) {
        if (name != NULL)
            snprintf(script->own_name, sizeof script->own_name, "%s", name);
        else
            identity_default_name(1, script->own_name);
        script->own = script->own_name;
        script->line.words = &script->own;
        script->line.word_count = 1;
    }
    run_ask(script, action);
}

static void run_new(struct script *script, const struct action *action)
{
    struct new_match match = script->line.options.match;
    char line[NEW_LINE_MAX];

    match.game = script->line.words[0];
    play_write_new(&match, line);
    finish(script, action, script_ask(script, "%s", line));
}

static void run_move(struct script *script, const struct action *action)
{
    finish(script, action, ask_words(script, action));
}

/* Watches first: only players and watchers may talk. */
static void run_say(struct script *script, const struct action *action)
{
    cJSON *reply = script_ask(script, "watch %s", script->line.words[0]);

    if (reply != NULL)
        finish(script, action, ask_words(script, action));
    cJSON_Delete(reply);
}

/* Whether the message ends the watched match. */
static bool is_end(const struct client *client, const cJSON *message)
{
    return strcmp(json_text_or(message, "type", ""), "state") == 0 &&
           strcmp(json_text_or(message, "match", ""), client->view.match) == 0 &&
           strcmp(json_text_or(message, "status", ""), "over") == 0;
}

/* Shows a message, but no reply to the program's own commands. */
static void show(struct script *script, const cJSON *message)
{
    const char *type = json_text_or(message, "type", "");

    if (strcmp(type, "pong") == 0 || strcmp(type, "ok") == 0)
        return;
    if (script->line.options.json)
        script_print_json(message);
    else if (strcmp(type, "lobby") == 0)
        columns_print_row(&script->client.console, message, LOBBY_FIELDS);
    else if (!script->line.options.plain)
        event_handle(&script->client, message);
    else if (strcmp(type, "state") == 0)
        print_state(script, NULL, message);
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

static void run_watch(struct script *script, const struct action *action)
{
    cJSON *reply = ask_words(script, action);

    if (reply == NULL)
        return;
    client_show(&script->client, json_text_or(reply, "match", ""));
    cJSON_Delete(reply);
    follow(script);
}

static const struct action actions[] = {
    {"list", 0, 0, false, run_ask, print_list, "matches",
     "match game variant white black status ply watchers clock",
     "Lists open and running matches, the newest first."},
    {"who", 0, 0, false, run_ask, print_list, "players", "name bot rating rating_game playing",
     "Lists the connected players."},
    {"top", 0, 1, false, run_ask, print_list, "players",
     "game variant rank name bot rating deviation matches",
     "Lists the best players of a game, a variant, or all games."},
    {"history", 0, 1, false, run_history, print_list, "matches",
     "match date game variant white black result reason plies white_rating black_rating",
     "Lists the finished matches of a player, the latest first. Without NAME it lists\n"
     "your own, by your name on this machine."},
    {"games", 0, 0, false, run_ask, print_list, "games", "name title default variants",
     "Lists the games of the server."},
    {"stats", 0, 0, false, run_ask, print_list, NULL, "name value",
     "Prints the counters of the server."},
    {"moves", 1, 2, false, run_ask, print_list, "moves", "move",
     "Prints the legal moves of the side to move; with SQUARE those from or onto it."},
    {"new", 1, 1, true, run_new, print_match, NULL, NULL,
     "Opens a match and prints its id. The match goes on after the program has ended:\n"
     "`ludus move` plays in it, `ludus --name NAME` shows it."},
    {"move", 2, 2, true, run_move, NULL, NULL, NULL,
     "Plays a move in one of your matches. Prints nothing on success."},
    {"say", 2, -1, false, run_say, NULL, NULL, NULL,
     "Sends a line of chat to all who play or watch a match. Write -- before a TEXT\n"
     "with words that begin with a dash."},
    {"state", 1, 1, false, run_ask, print_state, NULL, NULL,
     "Prints a match. The fields of --plain are\n"
     "  " STATE_FIELDS},
    {"watch", 1, 1, false, run_watch, NULL, NULL, NULL,
     "Prints each state of a match and its chat until the match is over. With lobby\n"
     "it prints matches that are opened, started and over until it is interrupted.\n"
     "The fields of --plain are\n"
     "  " STATE_FIELDS "\n"
     "those of the lobby, always with one tab between them, are\n"
     "  " LOBBY_FIELDS},
    {"record", 1, 1, false, run_ask, print_record, NULL, NULL,
     "Prints the record of a match: the server's JSON in one line, or PGN."},
};

static const struct action *find(const char *word)
{
    const struct action *action = actions;

    while (strcmp(action->word, word) != 0)
        action++;
    return action;
}

static void write_help(const struct action *action, char help[HELP_MAX])
{
    if (action->fields == NULL)
        snprintf(help, HELP_MAX, "%s", action->text);
    else
        snprintf(help, HELP_MAX,
                 "%s\n\nThe fields are\n  %s\n"
                 "in columns on a terminal, else without titles and with one tab between them.\n"
                 "- stands for none.",
                 action->text, action->fields);
}

static bool check_together(const struct options *options, int *status)
{
    if (options->times && !options->pgn)
        return args_refuse(status, "--times: only with --pgn");
    if (options->json && options->plain)
        return args_refuse(status, "--json, --plain: only one of them");
    return !options->json || !options->pgn ||
           args_refuse(status, "--json, --pgn: only one of them");
}

int script_main(const struct usage_command *command, int argc, char *argv[])
{
    const struct action *action = find(command->word);
    char help[HELP_MAX];
    struct script script = {
        .line = {.command = command, .text = help, .least = action->least, .most = action->most}};
    int status;

    write_help(action, help);
    if (!args_read_line(&script.line, argc, argv, &status) ||
        !check_together(&script.line.options, &status))
        return status;
    if (script_begin(&script, action->named))
        action->run(&script, action);
    return script_end(&script);
}
