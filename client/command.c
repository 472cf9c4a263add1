#include "command.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "catalog.h"
#include "json_read.h"
#include "match_draw.h"
#include "play.h"
#include "sitting.h"

enum { NEEDS_MATCH = true, ANYWHERE = false };

static void say(struct client *client, const char *text)
{
    screen_say(&client->screen, "%s", text);
}

/* draw, undo and rematch: offers it, or accepts what the other side offers. When that is agreed
 * at once, a new state follows (after a rematch an event that brings another match). */
static void offer(struct client *client, enum offer what)
{
    cJSON *reply = client_request(client, "%s %s", offer_word(what), client->view.match);
    bool done = reply != NULL && client_accepted(client, reply);
    bool agreed = json_true(reply, "agreed");
    enum color mine;

    cJSON_Delete(reply);
    if (!done)
        return;
    if (agreed) {
        client->awaiting = what != OFFER_REMATCH;
    } else if (view_my_color(&client->view, &mine)) {
        client->view.offers[what][mine] = true;
        screen_say(&client->screen, "Asked for: %s. %s has to agree.", offer_word(what),
                   client->view.seats[!mine].name);
    }
}

static void run_draw(struct client *client, const char *rest)
{
    (void)rest;
    offer(client, OFFER_DRAW);
}

static void run_undo(struct client *client, const char *rest)
{
    (void)rest;
    offer(client, OFFER_UNDO);
}

static void run_rematch(struct client *client, const char *rest)
{
    (void)rest;
    offer(client, OFFER_REMATCH);
}

static void run_resign(struct client *client, const char *rest)
{
    (void)rest;
    if (client_do(client, "resign %s", client->view.match))
        client->awaiting = true;
}

static void run_abort(struct client *client, const char *rest)
{
    (void)rest;
    if (client_do(client, "abort %s", client->view.match))
        client->awaiting = true;
}

static void run_accept(struct client *client, const char *rest)
{
    enum offer question = view_question(&client->view);
    char challenge[MATCH_ID_MAX];

    (void)rest;
    snprintf(challenge, sizeof challenge, "%s", client->challenge);
    if (question != OFFER_NONE) {
        offer(client, question);
    } else if (challenge[0] != '\0') {
        client->challenge[0] = '\0';
        play_join(client, challenge);
    } else {
        say(client, "There is nothing to accept.");
    }
}

static void run_decline(struct client *client, const char *rest)
{
    bool question = view_question(&client->view) != OFFER_NONE;
    const char *match = question ? client->view.match : client->challenge;

    (void)rest;
    if (match[0] == '\0')
        say(client, "There is nothing to decline.");
    else if (client_do(client, "decline %s", match))
        say(client, "Declined.");
    if (!question)
        client->challenge[0] = '\0';
}

static void run_moves(struct client *client, const char *rest)
{
    cJSON *reply = client_request(client, "moves %s%s%s", client->view.match,
                                  rest[0] != '\0' ? " " : "", rest);

    if (reply != NULL && client_accepted(client, reply)) {
        const cJSON *moves = json_member(reply, "moves");
        int count = cJSON_GetArraySize(moves);
        screen_say(&client->screen, "%d legal move%s%s", count, count == 1 ? "" : "s",
                   count > 0 ? ":" : ".");
        if (count > 0)
            screen_words(&client->screen, moves);
    }
    cJSON_Delete(reply);
}

static void run_board(struct client *client, const char *rest)
{
    (void)rest;
    if (client->view.known)
        draw_match(&client->screen, &client->view, client->turned);
}

static void run_flip(struct client *client, const char *rest)
{
    client->turned = !client->turned;
    run_board(client, rest);
}

static void run_say(struct client *client, const char *rest)
{
    if (rest[0] == '\0')
        say(client, "Say what? `say TEXT`");
    else
        client_do(client, "say %s %s", client->view.match, rest);
}

static void run_rules(struct client *client, const char *rest)
{
    (void)rest;
    catalog_show(client, client->view.known ? client->view.game : NULL);
}

/* Two moves a line, numbered; a match whose first mover was black begins with "...". */
static void show_moves(struct client *client, const cJSON *moves, bool black_first)
{
    int number = 1, side = black_first;
    const cJSON *move;
    char line[40] = "";

    if (black_first)
        snprintf(line, sizeof line, "%4d. ...", number);
    cJSON_ArrayForEach (move, moves) {
        const char *text = cJSON_GetStringValue(move);
        size_t length = strlen(line);
        if (side == WHITE)
            snprintf(line, sizeof line, "%4d. %.10s", number, text != NULL ? text : "?");
        else
            snprintf(line + length, sizeof line - length, " %.10s", text != NULL ? text : "?");
        if (side == BLACK || move->next == NULL)
            say(client, line);
        number += side == BLACK;
        side = !side;
    }
}

static void run_record(struct client *client, const char *rest)
{
    cJSON *reply = client_request(client, "record %s", client->view.match);
    char white[PLAYER_NAME_MAX], black[PLAYER_NAME_MAX], start[POSITION_TEXT_MAX], date[32];

    (void)rest;
    if (reply != NULL && client_accepted(client, reply)) {
        json_copy(white, sizeof white, reply, "white");
        json_copy(black, sizeof black, reply, "black");
        json_copy(start, sizeof start, reply, "start");
        json_copy(date, sizeof date, reply, "date");
        screen_say(&client->screen, "Match %s, %s: white %s, black %s", client->view.match, date,
                   white, black);
        screen_say(&client->screen, "Start: %s", start);
        const char *side = strchr(start, ' ');
        show_moves(client, json_member(reply, "moves"), side != NULL && side[1] == 'b');
        if (client->view.status == VIEW_OVER)
            draw_result(&client->screen, &client->view);
    }
    cJSON_Delete(reply);
}

static void run_go(struct client *client, const char *rest)
{
    const char *match = rest[0] != '\0' ? rest : sitting_other(client);
    char id[MATCH_ID_MAX];

    if (match == NULL) {
        say(client, "Go where? `go MATCH`");
        return;
    }
    snprintf(id, sizeof id, "%s", match);
    play_watch(client, id);
}

void command_leave(struct client *client)
{
    const struct view *view = &client->view;
    bool runs = view->known && view->status != VIEW_OVER;

    if (view->known && !view_seated(view))
        client_do(client, "leave %s", view->match);
    else if (runs)
        screen_say(&client->screen, "Match %s goes on: `go %s` brings it back.", view->match,
                   view->match);
    client_show(client, "");
}

static void run_leave(struct client *client, const char *rest)
{
    (void)rest;
    command_leave(client);
}

static void run_quit(struct client *client, const char *rest)
{
    const struct view *view = &client->view;

    (void)rest;
    if (view->known && view->status != VIEW_OVER && view_seated(view) && client->name[0] != '\0')
        screen_say(&client->screen, "Match %s waits for you: `ludus --name %s` comes back to it.",
                   view->match, client->name);
    client->quit = true;
}

static void run_help(struct client *client, const char *rest);

static const struct {
    const char *name, *arguments, *help;
    bool needs_match;
    void (*run)(struct client *client, const char *rest);
} commands[] = {
    {"moves", "[SQUARE]", "the legal moves, or those of one square", NEEDS_MATCH, run_moves},
    {"board", "", "the board again", NEEDS_MATCH, run_board},
    {"flip", "", "the board seen from the other side", NEEDS_MATCH, run_flip},
    {"rules", "", "the rules of the game in short", ANYWHERE, run_rules},
    {"record", "", "all moves so far", NEEDS_MATCH, run_record},
    {"say", "TEXT", "a word to all who play or watch", NEEDS_MATCH, run_say},
    {"undo", "", "ask to take back your last move", NEEDS_MATCH, run_undo},
    {"draw", "", "offer a draw", NEEDS_MATCH, run_draw},
    {"resign", "", "give the match up", NEEDS_MATCH, run_resign},
    {"abort", "", "break it off, before each side has moved", NEEDS_MATCH, run_abort},
    {"rematch", "", "after the end: once more, colours swapped", NEEDS_MATCH, run_rematch},
    {"accept", "", "yes to the offer or challenge that stands", ANYWHERE, run_accept},
    {"decline", "", "no to it", ANYWHERE, run_decline},
    {"go", "[MATCH]", "to another match", ANYWHERE, run_go},
    {"menu", "", "back to the menu; the match goes on", ANYWHERE, run_leave},
    {"leave", "", "the same", ANYWHERE, run_leave},
    {"help", "", "this list", ANYWHERE, run_help},
    {"quit", "", "end the program", ANYWHERE, run_quit},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

const char *command_name(int index)
{
    return index < COMMANDS ? commands[index].name : NULL;
}

static void run_help(struct client *client, const char *rest)
{
    char usage[32];

    (void)rest;
    say(client, "  MOVE             such as b2b3, Q@d4 or pass");
    for (int i = 0; i < COMMANDS; i++) {
        snprintf(usage, sizeof usage, "%s %s", commands[i].name, commands[i].arguments);
        screen_say(&client->screen, "  %-16s %s", usage, commands[i].help);
    }
    say(client, "  /LINE            a line for the server as it is, such as /who");
}

/* A reply is one line of JSON; with another format this program would hear nothing any more. */
static void run_raw(struct client *client, const char *line)
{
    if (strcasestr(line, "format=") != NULL) {
        say(client, "The format of the answers stays JSON here.");
        return;
    }
    cJSON *reply = client_request(client, "%s", line);
    char *text = cJSON_PrintUnformatted(reply);
    if (text != NULL)
        say(client, text);
    if (strcmp(json_text_or(reply, "type", ""), "bye") == 0)
        client->quit = true;
    cJSON_free(text);
    cJSON_Delete(reply);
}

bool command_run(struct client *client, const char *line)
{
    size_t length = strcspn(line, " \t");
    const char *rest = line + length + strspn(line + length, " \t");

    if (line[0] == '/') {
        run_raw(client, line + 1);
        return true;
    }
    for (int i = 0; i < COMMANDS; i++) {
        if (strlen(commands[i].name) != length || strncasecmp(commands[i].name, line, length) != 0)
            continue;
        if (commands[i].needs_match && client->view.match[0] == '\0')
            say(client, "There is no match on the screen.");
        else
            commands[i].run(client, rest);
        return true;
    }
    return false;
}
