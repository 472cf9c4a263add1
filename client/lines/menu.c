#include "menu.h"

#include <string.h>
#include <strings.h>

#include "client/play/first_game.h"
#include "client/play/play.h"
#include "client/play/player_command.h"
#include "common/number.h"
#include "question.h"
#include "seek_lines.h"

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
            player_command_type(client, line);
        else if (input_has_more(&client->input) || moves_on(client))
            client_wait(client, prompt);
        else
            end_of_input(client);
    }
    client->go = false;
}

struct item {
    const char *text;
    void (*run)(struct client *client); /* NULL: opens a match here */
    bool white_bot, black_bot;          /* there; else the player has the seat */
};

/* Asks for a game and for each bot. */
static void open_here(struct client *client, const struct item *item)
{
    char game[ANSWER_MAX], white[ANSWER_MAX] = "me", black[ANSWER_MAX] = "me";

    if (ask_game(client, game) && (!item->white_bot || ask_bot(client, "White is", white)) &&
        (!item->black_bot || ask_bot(client, "Black is", black)))
        play_open(client, &(struct new_match){.game = game, .white = white, .black = black});
}

static void open_for_friend(struct client *client)
{
    char game[ANSWER_MAX], clock[ANSWER_MAX];
    enum color color;

    if (!ask_game(client, game) || !ask_color(client, "You are", &color) ||
        !ask_clock(client, clock))
        return;
    play_open(client, &(struct new_match){.game = game,
                                          .white = color == WHITE ? "me" : "open",
                                          .black = color == WHITE ? "open" : "me",
                                          .clock = clock[0] != '\0' ? clock : NULL});
}

static void join_open(struct client *client)
{
    char match[ANSWER_MAX];

    if (ask_match(client, "open", match))
        play_join(client, match);
}

static void watch_running(struct client *client)
{
    char match[ANSWER_MAX];

    if (ask_match(client, "playing", match))
        play_watch(client, match);
}

static void find_opponent(struct client *client)
{
    char game[ANSWER_MAX], clock[ANSWER_MAX];
    struct seeking seeking;

    if (!ask_game(client, game) || !ask_clock(client, clock))
        return;
    if (seeking_begin(&seeking, client,
                      &(struct new_seek){.game = game, .clock = clock[0] != '\0' ? clock : NULL}))
        seek_lines_wait(client, &seeking);
}

static void rules(struct client *client)
{
    player_command_rules(client, NULL);
}

static const struct item items[] = {
    {"two players, one keyboard", NULL, false, false},
    {"play a bot, as white", NULL, false, true},
    {"play a bot, as black", NULL, true, false},
    {"watch two bots", NULL, true, true},
    {"open a match for a friend", open_for_friend, false, false},
    {"join an open match", join_open, false, false},
    {"watch a running match", watch_running, false, false},
    {"the rules in short", rules, false, false},
    {"find an opponent", find_opponent, false, false},
};

enum { ITEMS = sizeof items / sizeof items[0] };

static void show_menu(struct client *client)
{
    const char *name = client->uplink.hello.name[0] != '\0' ? client->uplink.hello.name : "a guest";

    console_say(&client->console, "\nPlaying as %s on %s", name, client->uplink.servers.at);
    console_say(&client->console, "  p  play now, against a bot of your strength");
    for (int i = 0; i < ITEMS; i++)
        console_say(&client->console, "  %d  %s", i + 1, items[i].text);
    console_say(&client->console, "  q  quit"); /* every question understands it */
    for (int i = 0; i < SITTINGS_MAX; i++)
        if (client->sittings[i].match[0] != '\0')
            console_say(&client->console, "  go %s  back to match %s, %s%s",
                        client->sittings[i].match, client->sittings[i].match,
                        client->sittings[i].label,
                        client->sittings[i].my_turn ? ": your turn" : "");
    if (client->view.known)
        console_say(&client->console, "  rematch, record, board, say TEXT: about match %s",
                    client->view.match);
}

/* An empty answer shows the menu again. */
static void choose_item(struct client *client)
{
    char answer[ANSWER_MAX];
    long number;

    while (ask(client, "menu> ", answer) && answer[0] != '\0') {
        if (strcasecmp(answer, "p") == 0) {
            first_game_open(client);
            return;
        }
        if (number_parse(answer, strlen(answer), 1, ITEMS, &number)) {
            const struct item *item = &items[number - 1];
            if (item->run != NULL)
                item->run(client);
            else
                open_here(client, item);
            return;
        }
        console_say(&client->console, "Please type p, a number from 1 to %d, or q.", ITEMS);
    }
}

void menu_run(struct client *client, enum beginning beginning, struct seeking *seeking)
{
    if (beginning == BEGIN_HOST)
        open_for_friend(client);
    if (beginning == BEGIN_JOIN)
        join_open(client);
    if (beginning == BEGIN_SEEK)
        seek_lines_wait(client, seeking);
    if (beginning == BEGIN_ALONE)
        play_tell_alone(client);
    while (!client->quit) {
        if (client->go) {
            match_lines_run(client);
        } else {
            show_menu(client);
            choose_item(client);
        }
    }
}
