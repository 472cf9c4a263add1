#include "player_command.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "answer.h"
#include "client/link/json_read.h"
#include "client/model/record.h"
#include "client/talk/client_request.h"
#include "client/talk/event.h"
#include "client/talk/hosting.h"
#include "client/talk/sitting.h"
#include "client/term/columns.h"
#include "client/term/match_draw.h"
#include "hint.h"
#include "invite.h"
#include "play.h"
#include "raw_command.h"
#include "review_give.h"

static void show_entry(struct client *client, const cJSON *entry)
{
    console_say(&client->console, "%s", json_text_or(entry, "title", "?"));
    console_say(&client->console, "  %s", json_text_or(entry, "summary", ""));
    console_say(&client->console, "  Variants: %s", json_text_or(entry, "variants_text", "?"));
}

void player_command_rules(struct client *client, const char *name)
{
    cJSON *reply = client_ask(client, "games");
    const cJSON *entry, *entries = json_member(reply, "games");

    cJSON_ArrayForEach (entry, entries) {
        if (name == NULL || strcmp(name, json_text_or(entry, "name", "")) == 0)
            show_entry(client, entry);
    }
    cJSON_Delete(reply);
}

/* Flags of a command: it is about the match on the screen; /COMMAND shows its reply as text, too,
 * not as JSON. */
enum { NEEDS_MATCH = 1, READABLE = 2 };

static void say(struct client *client, const char *text)
{
    console_say(&client->console, "%s", text);
}

/* The name of a row of the table, and the rest of the line. */
struct typed {
    const char *name, *rest;
};

static void run_offer(struct client *client, const struct typed *typed)
{
    answer_offer(client, offer_find(typed->name));
}

static void run_end(struct client *client, const struct typed *typed)
{
    if (client_do(client, "%s %s", typed->name, client->view.match))
        client->awaiting = true;
}

static void run_accept(struct client *client, const struct typed *typed)
{
    answer_accept(client, typed->rest);
}

static void run_decline(struct client *client, const struct typed *typed)
{
    answer_decline(client, typed->rest);
}

static void run_moves(struct client *client, const struct typed *typed)
{
    cJSON *reply = client_ask(client, "moves %s%s%s", client->view.match,
                              typed->rest[0] != '\0' ? " " : "", typed->rest);
    const cJSON *move, *moves = json_member(reply, "moves");
    char list[MOVES_MAX * MOVE_TEXT_MAX] = "";
    int count = cJSON_GetArraySize(moves);
    size_t used = 0;

    cJSON_ArrayForEach (move, moves)
        if (cJSON_IsString(move) && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, " %s", move->valuestring);
    if (reply != NULL)
        console_say(&client->console, "%d legal move%s%s%s", count, count == 1 ? "" : "s",
                    count > 0 ? ":\n " : ".", list);
    cJSON_Delete(reply);
}

static void run_board(struct client *client)
{
    if (!client->view.known)
        return;
    draw_match(&client->console, &client->view, client->turned, clock_ms());
    event_tell_offers(client);
}

static void run_flip(struct client *client)
{
    client->turned = !client->turned;
    run_board(client);
}

static void run_say(struct client *client, const struct typed *typed)
{
    if (typed->rest[0] == '\0')
        say(client, "Say what? `say TEXT`");
    else
        client_do(client, "say %s %s", client->view.match, typed->rest);
}

static void run_rules(struct client *client)
{
    player_command_rules(client, client->view.known ? client->view.game : NULL);
}

/* The match that `rest` names, or the one on the screen; NULL after a message when there is
 * none. */
static const char *match_meant(struct client *client, const char *rest)
{
    if (rest[0] != '\0')
        return rest;
    if (client->view.match[0] != '\0')
        return client->view.match;
    say(client, "There is no match on the screen. Name one.");
    return NULL;
}

static void show_record(struct client *client, const cJSON *reply)
{
    struct cause cause;
    char *text = record_pgn(reply, false, &cause);

    if (text == NULL)
        console_say(&client->console, "The record cannot be shown: %s.", cause.text);
    else
        console_text(&client->console, text);
    free(text);
}

static void run_record(struct client *client, const struct typed *typed)
{
    const char *match = match_meant(client, typed->rest);
    cJSON *reply = match != NULL ? client_ask(client, "record %s", match) : NULL;

    if (reply != NULL)
        show_record(client, reply);
    cJSON_Delete(reply);
}

static void run_review(struct client *client, const struct typed *typed)
{
    const char *match = match_meant(client, typed->rest);

    if (match != NULL)
        review_give(client, match);
}

static void run_claim(struct client *client, const struct typed *typed)
{
    const char *match = match_meant(client, typed->rest);
    bool shown = match != NULL && strcmp(match, client->view.match) == 0;

    if (match != NULL && client_do(client, "claim %s", match) && shown)
        client->awaiting = true;
}

/* Asks the server for a list and shows it as a table, or says that it is empty. */
static void show_list(struct client *client, const struct typed *typed, const char *list,
                      const char *fields, const char *none)
{
    cJSON *reply =
        client_ask(client, "%s%s%s", typed->name, typed->rest[0] != '\0' ? " " : "", typed->rest);
    const cJSON *rows = json_member(reply, list);

    if (reply != NULL && cJSON_GetArraySize(rows) == 0)
        say(client, none);
    else if (reply != NULL)
        columns_print(&client->console, rows, fields, true);
    columns_print_rest(&client->console, reply, list);
    cJSON_Delete(reply);
}

static void run_who(struct client *client, const struct typed *typed)
{
    show_list(client, typed, "players", "name rating playing bot", "Nobody is online.");
}

static void run_top(struct client *client, const struct typed *typed)
{
    show_list(client, typed, "players", "rank name rating deviation matches game variant",
              "Nobody has a rating yet.");
}

static void run_history(struct client *client, const struct typed *typed)
{
    show_list(client, typed, "matches", "match date game variant white black result reason plies",
              "No finished games yet.");
}

static void run_seek(struct client *client, const struct typed *typed)
{
    if (typed->rest[0] == '\0')
        say(client, "Seek what? `seek GAME`, such as `seek clobber clock=300+5`");
    else if (client_do(client, "seek %s", typed->rest))
        say(client, "The server looks for an opponent; `unseek` stops that.");
}

static void run_unseek(struct client *client)
{
    if (client_do(client, "unseek"))
        say(client, "You no longer seek an opponent.");
}

static void run_go(struct client *client, const struct typed *typed)
{
    const char *match = typed->rest[0] != '\0' ? typed->rest : sitting_other(client);
    char id[MATCH_ID_MAX];

    if (match == NULL) {
        say(client, "Go where? `go MATCH`");
        return;
    }
    snprintf(id, sizeof id, "%s", match);
    play_watch(client, id);
}

void player_command_leave(struct client *client)
{
    const struct match_state *view = &client->view;
    bool seated = view->known && match_state_seated(view),
         runs = seated && view->status != STATE_OVER;
    char match[MATCH_ID_MAX];

    memcpy(match, view->match, sizeof match);
    if (view->known && !seated)
        client_do(client, "leave %s", match);
    client_show(client, "");
    if (runs && client->front != NULL) /* the menu has a row for it */
        console_say(&client->console, "Match %s stays open.", match);
    else if (runs)
        console_say(&client->console, "Match %s stays open. `go %s` brings it back.", match, match);
}

static void run_quit(struct client *client)
{
    if (!hosting_ends_friend(client) || !input_is_typed(&client->input)) {
        client->quit = true;
        return;
    }
    client->asks_to_quit = client->front != NULL;
    if (client->front != NULL)
        return;
    say(client, hosting_question(client));
    const char *answer = client_await_line(client, "(y/n) ");
    client->quit = client->quit || (answer != NULL && (answer[0] | ' ') == 'y');
}

static void run_help(struct client *client);

static const struct {
    const char *name, *arguments, *help;
    unsigned flags;
    void (*run)(struct client *client, const struct typed *typed);
    void (*plain)(struct client *client); /* runs it instead where the name says all */
} commands[] = {
    {"moves", "[SQUARE]", "the legal moves, or those of one square", NEEDS_MATCH, .run = run_moves},
    {"hint", "", "what a bot would play", NEEDS_MATCH, .plain = hint_give},
    {"board", "", "the board again", NEEDS_MATCH, .plain = run_board},
    {"flip", "", "turn the board", NEEDS_MATCH, .plain = run_flip},
    {"rules", "", "the rules of the game in short", .plain = run_rules},
    {"record", "[MATCH]", "all moves so far, as PGN", READABLE, .run = run_record},
    {"review", "[MATCH]", "after the end: where the match was lost", .run = run_review},
    {"say", "TEXT", "chat with players and watchers", NEEDS_MATCH, .run = run_say},
    {"undo", "", "ask to take back your last move", NEEDS_MATCH, .run = run_offer},
    {"draw", "", "offer a draw", NEEDS_MATCH, .run = run_offer},
    {"resign", "", "resign the match", NEEDS_MATCH, .run = run_end},
    {"abort", "", "abort the match before each side has moved", NEEDS_MATCH, .run = run_end},
    {"claim", "[MATCH]", "claim the win when the other player stays away", READABLE,
     .run = run_claim},
    {"rematch", "", "after the end: play again, colours swapped", NEEDS_MATCH, .run = run_offer},
    {"accept", "[WHAT]",
     "accept an offer; name it (draw, undo, rematch, challenge) if several wait",
     .run = run_accept},
    {"decline", "[WHAT]", "decline an offer, or all offers of a match", .run = run_decline},
    {"go", "[MATCH]", "go to another match", .run = run_go},
    {"seek", "GAME", "wait for another player who seeks that game", .run = run_seek},
    {"unseek", "", "stop seeking", .plain = run_unseek},
    {"invite", "", "let friends on this network join: open your server", .plain = invite_tell},
    {"who", "", "players online", READABLE, .run = run_who},
    {"top", "[GAME]", "the best players", READABLE, .run = run_top},
    {"history", "[NAME]", "finished matches, your own or another player's", READABLE,
     .run = run_history},
    {"bell", "", "a bell when it is your turn, on or off", .plain = client_change_bell},
    {"menu", "", "go to the menu; the game stays open", .plain = player_command_leave},
    {"leave", "", "another word for menu", .plain = player_command_leave},
    {"help", "", "this list", .plain = run_help},
    {"quit", "", "end the program", .plain = run_quit},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void run_help(struct client *client)
{
    char usage[32];

    say(client, "  MOVE             such as b2b3, Q@d4 or pass");
    for (int i = 0; i < COMMANDS; i++) {
        snprintf(usage, sizeof usage, "%s %s", commands[i].name, commands[i].arguments);
        console_say(&client->console, "  %-16s %s", usage, commands[i].help);
    }
    say(client, "  /LINE            send a line to the server as it is, such as /stats");
}

/* The index of the command, or COMMANDS. */
static int find_command(const char *word, size_t length)
{
    int i = 0;

    while (i < COMMANDS &&
           (strlen(commands[i].name) != length || strncasecmp(commands[i].name, word, length) != 0))
        i++;
    return i;
}

bool player_command_run(struct client *client, const char *line)
{
    bool slash = line[0] == '/';
    const char *word = slash ? line + 1 : line;
    size_t length = strcspn(word, " \t");
    const char *rest = word + length + strspn(word + length, " \t");
    int i = find_command(word, length);

    if (slash && (i == COMMANDS || (commands[i].flags & READABLE) == 0)) {
        raw_command_run(client, word);
        return true;
    }
    if (i == COMMANDS)
        return false;
    if ((commands[i].flags & NEEDS_MATCH) != 0 && client->view.match[0] == '\0')
        say(client, "There is no match on the screen.");
    else if (commands[i].plain != NULL)
        commands[i].plain(client);
    else
        commands[i].run(client, &(struct typed){commands[i].name, rest});
    return true;
}

/* Sends the move until it is known to have arrived. The ply keeps it from counting twice: after a
 * lost connection the next state shows whether it has counted. */
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

/* Makes "Nf3" N@f3 where pieces are placed, as chess players write it. */
static void add_at(const struct client *client, char move[PLAYER_MOVE_MAX], size_t length)
{
    const char *name = client->view.game;
    const struct game *game = game_find(name, strlen(name));

    if (game == NULL || length < 3 || length + 1 >= PLAYER_MOVE_MAX ||
        !isalpha((unsigned char)move[1]) ||
        strchr(game->pieces, toupper((unsigned char)move[0])) == NULL)
        return;
    memmove(move + 2, move + 1, length);
    move[1] = '@';
}

/* Reads "B2 b3" and "move b2b3" as b2b3. False for text that cannot be a move: every move but the
 * pass names a square. */
static bool read_move(const struct client *client, const char *line, char move[PLAYER_MOVE_MAX])
{
    size_t length = 0;

    if (strncasecmp(line, "move ", 5) == 0)
        line += 5;
    for (; *line != '\0'; line++) {
        if (isspace((unsigned char)*line))
            continue;
        if (length == PLAYER_MOVE_MAX - 1)
            return false;
        move[length++] = *line;
    }
    move[length] = '\0';
    add_at(client, move, length);
    return strpbrk(move, "0123456789") != NULL || strcasecmp(move, "pass") == 0;
}

bool player_command_move(const struct client *client, const char *line, char move[PLAYER_MOVE_MAX])
{
    line += strspn(line, " \t");
    return line[0] != '/' && find_command(line, strcspn(line, " \t")) == COMMANDS &&
           read_move(client, line, move);
}

static void play_move(struct client *client, const char *line)
{
    const struct match_state *view = &client->view;
    struct console *console = &client->console;
    char move[PLAYER_MOVE_MAX];

    if (!read_move(client, line, move))
        console_say(console,
                    "\"%.40s\" is not a move or a command (%s lists them). To chat: say %.40s",
                    line, client->front != NULL ? "F1" : "`help`", line);
    else if (!match_state_seated(view))
        console_say(console, "You are watching. Only the players can move.");
    else if (view->status == STATE_OPEN)
        console_say(console, "The game has not begun: your opponent is not here yet.");
    else if (view->status == STATE_OVER)
        console_say(console, "The game is over.");
    else if (!match_state_my_turn(view))
        console_say(console, "It is %s's turn. Wait for %s to move.", color_name(view->turn),
                    view->seats[view->turn].name);
    else
        send_move(client, move);
}

void player_command_type(struct client *client, const char *line)
{
    line += strspn(line, " \t");
    input_remember(&client->input, line);
    if (line[0] != '\0' && !player_command_run(client, line))
        play_move(client, line);
}

const char *player_command_candidate(const void *context, int index)
{
    const struct match_state *view = &((const struct client *)context)->view;

    if (index < view->legal_count)
        return view->legal[index];
    index -= view->legal_count;
    return index < COMMANDS ? commands[index].name : NULL;
}
