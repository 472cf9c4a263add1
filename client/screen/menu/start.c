#include "start.h"

#include <stdio.h>
#include <string.h>

#include "client/lan/pasted.h"
#include "client/lan/search.h"
#include "client/play/first_game.h"
#include "client/play/play.h"
#include "client/play/player_command.h"
#include "client/screen/match/help.h"
#include "client/screen/match/review_part.h"
#include "client/screen/stage/edit.h"
#include "client/screen/stage/page.h"
#include "client/screen/stage/paint.h"
#include "client/talk/hosting.h"
#include "client/talk/login.h"
#include "learn_part.h"
#include "lists.h"
#include "replay_part.h"
#include "setup_form.h"
#include "tournament_part.h"

/* The words to show while the screen stands still. */
struct wait {
    const char *title, *detail;
};

static void paint_wait(struct stage *stage, void *context)
{
    const struct wait *wait = context;

    stage_paint_frame(stage, wait->title);
    paint_text(2, 2, COLS - 4, theme_faint(&stage->theme), wait->detail);
}

static void search(struct stage *stage, struct found_list *found)
{
    char title[64];
    struct part part = {.paint = paint_wait, .context = &(struct wait){title, ""}};

    snprintf(title, sizeof title, "Looking for servers on the network, %d seconds ...",
             SEARCH_MS / 1000);
    stage_push(stage, &part);
    stage->front.paint(stage);
    lan_search(found, SEARCH_MS);
    stage_pop(stage);
}

static const struct found *choose_server(struct stage *stage, const struct found_list *found)
{
    struct pick pick = {.title = "Servers on the network"};
    char line[FOUND_LINE_MAX];

    for (int i = 0; i < found->count; i++) {
        found_describe(&found->list[i], line);
        pick_add(&pick, "%.90s", line);
    }
    int at = pick_run(stage, &pick);
    return at >= 0 ? &found->list[at] : NULL;
}

static bool ask_code(struct stage *stage, bool again, char code[HELLO_CODE_MAX])
{
    struct edit edit = {""};
    struct pasted pasted;

    if (!edit_ask(stage,
                  again ? "That is not the join code of this server. The code, or the whole line:"
                        : "The join code that your friend sees, or the whole line:",
                  &edit))
        return false;
    pasted_read(edit.text, &pasted);
    snprintf(code, HELLO_CODE_MAX, "%s", pasted.code);
    return code[0] != '\0';
}

/* Goes to a server. *wants_code says on failure that the code is missing or wrong. */
static bool go_to(struct stage *stage, const char *address, const char *code, bool *wants_code)
{
    char title[LINK_ADDRESS_MAX + 16];
    struct part part = {.paint = paint_wait,
                        .context = &(struct wait){title, "Ctrl-C ends the program"}};
    struct cause cause;

    snprintf(title, sizeof title, "Going to %s ...", address);
    stage_push(stage, &part);
    stage->front.paint(stage);
    bool there = login_elsewhere(stage->client, address, code, wants_code, &cause);
    stage_pop(stage);
    clearok(stdscr, TRUE); /* what TLS says of a new key was not written by curses */
    if (!there && !*wants_code)
        stage_say(stage, cause.text);
    if (there)
        said_detach(&stage->log);
    return there;
}

/* Goes to a server, with a code if it wants one, and takes the match that is open. */
static enum beginning join_at(struct stage *stage, const char *address, const char *given,
                              bool wants_code)
{
    char code[HELLO_CODE_MAX];
    bool there = (!wants_code || given != NULL) && go_to(stage, address, given, &wants_code);

    for (bool again = given != NULL; !there && wants_code && ask_code(stage, again, code);
         again = true)
        there = go_to(stage, address, code, &wants_code);
    return there ? play_join_any(stage->client) : BEGIN_MENU;
}

static enum beginning join_found(struct stage *stage)
{
    char address[LINK_ADDRESS_MAX];
    struct found_list found;

    search(stage, &found);
    if (found.count == 0) {
        stage_say(stage, "No server was found: your friend starts one by `ludus host`.");
        return BEGIN_MENU;
    }
    const struct found *server = choose_server(stage, &found);
    if (server == NULL)
        return BEGIN_MENU;
    found_address(server, address);
    return join_at(stage, address, NULL, server->about.code);
}

static enum beginning join_typed(struct stage *stage)
{
    struct edit edit = {""};
    struct pasted pasted;

    if (!edit_ask(stage, "Your friend's address, such as 192.168.1.5, or the whole line:", &edit))
        return BEGIN_MENU;
    pasted_read(edit.text, &pasted);
    if (pasted.address[0] == '\0')
        return BEGIN_MENU;
    bool both = strncmp(pasted.address, pasted.code, HELLO_CODE_MAX - 1) != 0;
    return join_at(stage, pasted.address, both ? pasted.code : NULL, false);
}

/* Lists the open matches, then the ways to other servers. Returns what to ask next. */
static enum beginning join_once(struct stage *stage)
{
    struct match_list list = {.pick = {.title = "Join a match"}};

    lists_add_open(stage, &list, PICK_MAX - 2);
    int matches = list.pick.count;
    pick_add(&list.pick, "Look for servers on the network");
    pick_add(&list.pick, "Type the address of a server");
    int at = pick_run(stage, &list.pick);
    if (at == matches)
        return join_found(stage);
    if (at > matches)
        return join_typed(stage);
    if (at >= 0)
        play_join(stage->client, list.ids[at]);
    return BEGIN_MENU;
}

void start_join(struct stage *stage)
{
    enum beginning next;

    do
        next = join_once(stage);
    while (next == BEGIN_JOIN);
    if (next == BEGIN_ALONE)
        play_tell_alone(stage->client);
}

static void replay(struct stage *stage)
{
    struct edit edit = {""};

    if (edit_ask(stage, "Replay which file? (PGN, as `ludus record MATCH --pgn` writes it)", &edit))
        replay_part_file(stage, edit.text);
}

/* Runs a command and shows its reply as a page. */
static void show_command(struct stage *stage, const char *command, const char *title)
{
    stage_begin_page(stage);
    if (!player_command_run(stage->client, command))
        lines_add(&stage->page, "Unknown command.");
    page_end(stage, title, 1, COLS - 4);
}

static void type_command(struct stage *stage)
{
    struct edit edit = {""};

    if (edit_ask(stage, "Which command? (help lists them)", &edit) && edit.text[0] != '\0' &&
        !review_part_typed(stage, edit.text))
        show_command(stage, edit.text, edit.text);
}

static void play_now(struct stage *stage)
{
    first_game_open(stage->client);
}

static void quit(struct stage *stage)
{
    player_command_run(stage->client, "quit");
}

static const struct item {
    const char *text;
    void (*run)(struct stage *stage); /* NULL: shows the reply to the command ... */
    const char *command;              /* NULL: opens a match by the form */
    enum setup_kind setup;
} items[] = {
    {"Play now, against a bot of your strength", .run = play_now},
    {"Play a bot", .setup = SETUP_BOT},
    {"Two players, one keyboard", .setup = SETUP_BOTH},
    {"Host a match for a friend", .setup = SETUP_HOST},
    {"Find an opponent", .setup = SETUP_SEEK},
    {"Join a match", .run = start_join},
    {"Tournaments", .run = tournament_part_list},
    {"Matches", .run = lists_matches},
    {"Watch two bots", .setup = SETUP_BOTS},
    {"Replay a file", .run = replay},
    {"Ratings", .command = "top"},
    {"My games", .run = lists_history},
    {"Players online", .run = lists_players},
    {"Learn a game", .run = learn_part_choose},
    {"Rules of the games", .run = help_all_rules},
    {"Type a command", .run = type_command},
    {"Quit", .run = quit},
};

enum { ITEMS = sizeof items / sizeof items[0] };

static void run_item(struct stage *stage, const struct item *item)
{
    if (item->run != NULL)
        item->run(stage);
    else if (item->command != NULL)
        show_command(stage, item->command, item->text);
    else
        setup_form_run(stage, item->setup);
}

/* Adds what waits for the player: a challenge, and the matches they sit in. */
static int add_waiting(const struct client *client, struct pick *pick,
                       char commands[SITTINGS_MAX + 1][MATCH_ID_MAX + 8])
{
    int count = 0;

    if (client->challenge[0] != '\0') {
        snprintf(commands[count++], MATCH_ID_MAX + 8, "accept challenge");
        pick_add(pick, "Accept the challenge, match %s", client->challenge);
    }
    for (int i = 0; i < SITTINGS_MAX; i++) {
        const struct sitting *sitting = &client->sittings[i];
        if (sitting->match[0] == '\0')
            continue;
        snprintf(commands[count++], MATCH_ID_MAX + 8, "go %s", sitting->match);
        pick_add(pick, "Back to match %s, %s%s", sitting->match, sitting->label,
                 sitting->my_turn ? ": your turn" : "");
    }
    return count;
}

/* Writes as whom the player is where, and how friends join. */
static void write_who(const struct client *client, char *who, size_t size)
{
    const char *name = client->uplink.hello.name, *me = name[0] != '\0' ? name : "a guest";
    const char *invitation = hosting_invitation(client);

    if (invitation != NULL && client->host->on_network)
        snprintf(who, size, "Playing as %s. Friends: %.200s", me, invitation);
    else if (invitation != NULL)
        snprintf(who, size, "Playing as %s. No network here: friends cannot reach you", me);
    else if (hosting_is_private(client))
        snprintf(who, size, "Playing as %s, on a private server that ends with this program", me);
    else
        snprintf(who, size, "Playing as %s on %.200s", me, client->uplink.servers.at);
}

void start_run(struct stage *stage)
{
    struct client *client = stage->client;

    if (stage->tournament[0] != '\0') {
        tournament_part_follow(stage);
        return;
    }
    char commands[SITTINGS_MAX + 1][MATCH_ID_MAX + 8], who[320];
    struct pick pick = {.title = "Ludus", .detail = who, .until_said = true, .top = true};

    write_who(client, who, sizeof who);
    int waiting = add_waiting(client, &pick, commands);
    for (int i = 0; i < ITEMS; i++)
        pick_add(&pick, "%s", items[i].text);
    pick.at = stage->menu_at > 0 ? waiting + stage->menu_at : 0;
    int at = pick_run(stage, &pick);
    stage->menu_at = pick.at - waiting;
    if (at >= waiting)
        run_item(stage, &items[at - waiting]);
    else if (at >= 0)
        player_command_run(client, commands[at]);
    else if (at == PICK_BACK)
        quit(stage);
}
