#include "start.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/link/json_read.h"
#include "client/ludus/lan/search.h"
#include "client/ludus/learn/attempt.h"
#include "client/ludus/screen/match/analysis_part.h"
#include "client/ludus/screen/match/commands.h"
#include "client/ludus/screen/match/help.h"
#include "client/ludus/screen/match/review_part.h"
#include "client/ludus/screen/stage/paint.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/hosting.h"
#include "client/ludus/talk/login.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/talk/play.h"
#include "client/ludus/term/wrap.h"
#include "learn_part.h"
#include "puzzle_part.h"
#include "replay_part.h"
#include "setup_form.h"
#include "tournament_part.h"

/* Rows of matches, and their numbers. */
struct match_list {
    struct pick pick;
    char ids[PICK_MAX][MATCH_ID_MAX];
    enum state_status statuses[PICK_MAX];
};

enum { HISTORY_ROWS = 16 }; /* left for finished matches below others */

/* Notes the match of the row that comes next; false when there is no room. */
static bool note_match(struct match_list *list, const cJSON *row, enum state_status status,
                       int most)
{
    if (list->pick.count >= most)
        return false;
    json_copy(list->ids[list->pick.count], MATCH_ID_MAX, row, "match");
    list->statuses[list->pick.count] = status;
    return true;
}

/* Adds the matches of a reply to `list` that have that status. */
static void add_listed(const struct client *client, struct match_list *list, const cJSON *reply,
                       enum state_status status, int most)
{
    const cJSON *row, *rows = json_member(reply, "matches");
    char words[ROW_WORDS_MAX];

    cJSON_ArrayForEach (row, rows) {
        if (!play_is_listed(row, status == STATE_OPEN ? "open" : "playing") ||
            !note_match(list, row, status, most))
            continue;
        row_words(&client->names, row, words);
        pick_add(&list->pick, "%s: %s%s", json_text_or(row, "match", "?"), words,
                 status == STATE_PLAYING ? _(", running") : "");
    }
}

/* Adds the player's finished matches. */
static void add_history(struct stage *stage, struct match_list *list)
{
    cJSON *reply = client_ask(stage->client, "history");
    const cJSON *row, *rows = json_member(reply, "matches");
    char label[GAME_LABEL_MAX], white[PLAYER_DISPLAY_MAX], black[PLAYER_DISPLAY_MAX];

    cJSON_ArrayForEach (row, rows) {
        if (!note_match(list, row, STATE_OVER, PICK_MAX))
            break;
        game_label(json_text_or(row, "game", "?"), json_text_or(row, "variant", ""), label);
        pick_add(&list->pick, "%.10s %s: %s - %s %s %s", json_text_or(row, "date", "?"), label,
                 names_cut_of(&stage->client->names, row, "white", "?", white),
                 names_cut_of(&stage->client->names, row, "black", "?", black),
                 json_text_or(row, "result", "?"), reason_words(json_text(row, "reason")));
    }
    cJSON_Delete(reply);
}

/* Goes to the match of a row. */
static void go_to_listed(struct stage *stage, const struct match_list *list, int at)
{
    if (list->statuses[at] == STATE_OPEN)
        play_join(stage->client, list->ids[at]);
    else if (list->statuses[at] == STATE_PLAYING)
        play_watch(stage->client, list->ids[at]);
    else
        replay_part_match(stage, list->ids[at]);
}

/* Lists the matches of the server and the player's finished ones. Joins, watches or steps through
 * those chosen. */
static void list_matches(struct stage *stage)
{
    struct match_list list = {
        .pick = {.title = _("Matches"),
                 .detail = _("Enter joins, watches or steps through a match")}};
    int at = 0;

    while (at >= 0 && !stage_is_over(stage)) {
        /* Fill the list with all matches. */
        cJSON *reply = client_request(stage->client, "list");
        list.pick.count = 0;
        add_listed(stage->client, &list, reply, STATE_OPEN, PICK_MAX - HISTORY_ROWS);
        add_listed(stage->client, &list, reply, STATE_PLAYING, PICK_MAX - HISTORY_ROWS);
        cJSON_Delete(reply);
        add_history(stage, &list);
        if (list.pick.count == 0)
            stage_say(stage, _("No match waits or runs, and you have not finished one yet."));
        if (list.pick.at >= list.pick.count)
            list.pick.at = 0;
        at = list.pick.count > 0 ? pick_run(stage, &list.pick) : PICK_BACK;
        if (at >= 0)
            go_to_listed(stage, &list, at);
    }
}

/* Lists the player's finished matches, the latest first, and steps through those chosen. */
static void list_history(struct stage *stage)
{
    struct match_list list = {
        .pick = {.title = _("My games"), .detail = _("Enter steps through a game")}};
    int at;

    add_history(stage, &list);
    if (list.pick.count == 0)
        stage_say(stage, _("You have not finished a game yet."));
    while (list.pick.count > 0 && !stage_is_over(stage) && (at = pick_run(stage, &list.pick)) >= 0)
        go_to_listed(stage, &list, at);
}

/* Adds the players of that strength of a reply to `who`, and notes the names by which commands call
 * them; one's own is marked. */
static void add_players(const struct client *client, struct pick *pick, const cJSON *rows,
                        int strength, char names[][PLAYER_NAME_MAX])
{
    const cJSON *row;
    int rating, width = names_width(&client->names, rows);

    cJSON_ArrayForEach (row, rows) {
        if (pick->count == PICK_MAX || play_strength(json_text_or(row, "name", "")) != strength)
            continue;
        char *name = names[pick->count], text[16] = "", shown[PLAYER_DISPLAY_MAX];
        json_copy(name, PLAYER_NAME_MAX, row, "name");
        names_cut_of(&client->names, row, "name", "", shown);
        int blanks = width - wrap_columns(shown, strlen(shown));
        const char *words = play_bot_words(name);
        if (json_int(row, "rating", &rating))
            snprintf(text, sizeof text, "%d", rating);
        pick_add(pick, "%s%*s %4s%s%s%s%s%s", shown, blanks > 0 ? blanks : 0, "", text,
                 json_true(row, "bot") ? _("  bot") : "", words != NULL ? ", " : "",
                 words != NULL ? words : "",
                 json_int_or(row, "playing", 0) > 0 ? _("  playing") : "",
                 strcmp(name, client->uplink.hello.name) == 0 ? _("  (you)") : "");
    }
}

/* Lists the players online, people first, then bots by their strength; the one chosen is challenged
 * by a form. */
static void list_players(struct stage *stage)
{
    struct pick pick = {.title = _("Players online"), .detail = _("Enter challenges a player")};
    char names[PICK_MAX][PLAYER_NAME_MAX];
    int at = 0;

    while (at >= 0 && !stage_is_over(stage)) {
        cJSON *reply = client_ask(stage->client, "who");
        pick.count = 0;
        for (int strength = 0; strength <= PLAY_STRENGTH_MAX; strength++)
            add_players(stage->client, &pick, json_member(reply, "players"), strength, names);
        cJSON_Delete(reply);
        if (pick.at >= pick.count)
            pick.at = 0;
        at = pick.count > 0 ? pick_run(stage, &pick) : PICK_BACK;
        if (at >= 0 && strcmp(names[at], stage->client->uplink.hello.name) == 0)
            stage_notice(stage, "You cannot challenge yourself.");
        else if (at >= 0)
            setup_form_challenge(stage, names[at]);
    }
}

/* The words to show while the screen stands still. */
struct wait_words {
    const char *title, *detail;
};

static void paint_wait_words(struct stage *stage, void *context)
{
    const struct wait_words *wait = context;

    stage_paint_frame(stage, wait->title);
    paint_text(2, 2, COLS - 4, theme_faint(&stage->theme), wait->detail);
}

static bool ask_code(struct stage *stage, bool again, char code[HELLO_CODE_MAX])
{
    struct edit edit = {""};
    struct pasted pasted;

    if (!edit_ask(stage,
                  again
                      ? _("That is not the join code of this server. The code, or the whole line:")
                      : _("The join code that your friend sees, or the whole line:"),
                  &edit))
        return false;
    pasted_read(edit.text, &pasted);
    snprintf(code, HELLO_CODE_MAX, "%s", pasted.code);
    return code[0] != '\0';
}

/* Goes to a server. *wants_code says on failure that the code is missing or wrong. */
static bool go_to_server(struct stage *stage, const char *address, const char *code,
                         bool *wants_code)
{
    char title[LINK_ADDRESS_MAX + 16];
    struct part part = {.paint = paint_wait_words,
                        .context = &(struct wait_words){title, _("Ctrl-C ends the program")}};
    struct cause cause;

    snprintf(title, sizeof title, _("Going to %s ..."), address);
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
    bool there = (!wants_code || given != NULL) && go_to_server(stage, address, given, &wants_code);

    for (bool again = given != NULL; !there && wants_code && ask_code(stage, again, code);
         again = true)
        there = go_to_server(stage, address, code, &wants_code);
    return there ? play_join_any(stage->client) : BEGIN_MENU;
}

static enum beginning join_found(struct stage *stage)
{
    char address[LINK_ADDRESS_MAX];
    struct found_list found;

    char title[64];
    struct part part = {.paint = paint_wait_words, .context = &(struct wait_words){title, ""}};
    snprintf(title, sizeof title, _("Looking for servers, %d seconds ..."), SEARCH_MS / 1000);
    stage_push(stage, &part);
    stage->front.paint(stage);
    lan_search(&found, SEARCH_MS);
    stage_pop(stage);
    if (found.count == 0) {
        stage_say(stage, _("No server was found: your friend starts one by `ludus host`."));
        return BEGIN_MENU;
    }
    struct pick pick = {.title = _("Servers on the network")};
    char line[FOUND_LINE_MAX];
    for (int i = 0; i < found.count; i++) {
        found_describe(&found.list[i], line);
        pick_add(&pick, "%s", line);
    }
    int at = pick_run(stage, &pick);
    const struct found *server = at >= 0 ? &found.list[at] : NULL;
    if (server == NULL)
        return BEGIN_MENU;
    found_address(server, address);
    return join_at(stage, address, NULL, server->about.code);
}

static enum beginning join_typed(struct stage *stage)
{
    struct edit edit = {""};
    struct pasted pasted;

    if (!edit_ask(stage, _("Your friend's address, such as 192.168.1.5, or the whole line:"),
                  &edit))
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
    struct match_list list = {.pick = {.title = _("Join a match")}};

    /* Add the matches of the server that wait for a player, while there are fewer than `most` rows.
     */
    cJSON *reply = client_request(stage->client, "list");
    add_listed(stage->client, &list, reply, STATE_OPEN, PICK_MAX - 2);
    cJSON_Delete(reply);
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

static int is_pgn(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot != NULL && dot != entry->d_name && strcasecmp(dot, ".pgn") == 0;
}

static void replay_typed_file(struct stage *stage)
{
    static const char question[] =
        N_("Replay which file? (PGN, as F7 and `ludus record MATCH --pgn` "
           "write it; Tab completes)");
    struct edit edit = {""};
    char path[PATH_MAX];

    while (edit_ask_file(stage, _(question), &edit, path) && edit.text[0] != '\0' &&
           !replay_part_file(stage, path))
        ; /* what was typed can be mended */
}

/* Lists the PGN files here, if there are any. */
static void replay_a_file(struct stage *stage)
{
    struct pick pick = {.title = _("Replay which file?")};
    struct dirent **files = NULL;
    int count = scandir(".", &files, is_pgn, alphasort), at = 0;

    for (int i = 0; i < count && i < PICK_MAX - 1; i++)
        if (strlen(files[i]->d_name) < PICK_LABEL_MAX)
            pick_add(&pick, "%s", files[i]->d_name);
    int listed = pick.count;
    pick_add(&pick, "Type the name of another file");
    while (listed > 0 && (at = pick_run(stage, &pick)) >= 0 && at < listed)
        replay_part_file(stage, pick.labels[at]);
    if (at == listed)
        replay_typed_file(stage);
    for (int i = 0; i < count; i++)
        free(files[i]);
    free(files);
}

/* Runs a command and shows its reply as a page. */
static void show_command(struct stage *stage, const char *command, const char *title)
{
    stage_begin_page(stage);
    if (!player_command_run(stage->client, command))
        lines_add(&stage->page, _("Unknown command."));
    page_end(stage, title, 1, COLS - 4);
}

static void type_command(struct stage *stage)
{
    struct edit edit = {""};

    if (edit_ask(stage, _("Which command? (help lists them)"), &edit) && edit.text[0] != '\0' &&
        !review_part_typed(stage, edit.text))
        show_command(stage, edit.text, edit.text);
}

static void play_now(struct stage *stage)
{
    first_game_open(stage->client, &stage->first);
}

static void quit_program(struct stage *stage)
{
    player_command_run(stage->client, "quit");
}

static void paint_leaving(struct stage *stage, void *context)
{
    (void)context;
    stage_notice(stage, "Leave Ludus? (y/n)");
    stage_paint_line(stage);
}

/* Notes in *leaves what the player wants; the key that has asked says yes the second time, and a
 * key for something else does that. */
static bool take_leaving(struct stage *stage, void *context, struct press press)
{
    bool *leaves = context;

    *leaves = press.key == 'y' || press.key == 'q' || press.action == ACTION_CHOOSE ||
              press.action == ACTION_BACK;
    if (press.key != NO_KEY && !*leaves && press.key != 'n')
        keyboard_return(&stage->keyboard);
    return press.key != NO_KEY || press.done;
}

/* Leaves by Esc or q: that may be one too many on the way back from another screen. Who hosts is
 * asked by quit_program() itself. */
static void leave_program(struct stage *stage)
{
    bool leaves = false;
    struct part part = {
        .place = IN_MENU, .paint = paint_leaving, .take = take_leaving, .context = &leaves};

    if (hosting_invitation(stage->client) == NULL)
        stage_run(stage, &part);
    if (leaves || hosting_invitation(stage->client) != NULL)
        quit_program(stage);
}

/* Letters never move: players learn them. */
static const struct menu_item {
    char key;
    const char *group; /* at its first row; NULL: as the row above */
    const char *text;
    void (*run)(struct stage *stage); /* NULL: shows the reply to the command ... */
    const char *command;              /* NULL: opens a match by the form */
    enum setup_kind setup;
} items[] = {
    {'p', N_("Play"), N_("Play now"), .run = play_now},
    {'b', NULL, N_("Play a bot"), .setup = SETUP_BOT},
    {'k', NULL, N_("Two players at this keyboard"), .setup = SETUP_BOTH},
    {'h', NULL, N_("Host a match for a friend"), .setup = SETUP_HOST},
    {'f', NULL, N_("Find an opponent"), .setup = SETUP_SEEK},
    {'j', NULL, N_("Join a match"), .run = start_join},
    {'t', NULL, N_("Tournaments"), .run = tournament_part_list},
    {'m', N_("Watch"), N_("Matches"), .run = list_matches},
    {'w', NULL, N_("Watch two bots"), .setup = SETUP_BOTS},
    {'v', NULL, N_("Replay a file"), .run = replay_a_file},
    {'l', N_("Learn"), N_("Learn a game"), .run = learn_part_choose},
    {'z', NULL, N_("Puzzles"), .run = puzzle_part_choose},
    {'a', NULL, N_("Analysis board"), .run = analysis_part_choose},
    {'r', NULL, N_("Rules of the games"), .run = help_all_rules},
    {'g', N_("You"), N_("My games"), .run = list_history},
    {'s', NULL, N_("Ratings"), .command = "top"},
    {'o', NULL, N_("Players online"), .run = list_players},
    {'c', NULL, N_("Type a command"), .run = type_command},
    {'q', NULL, N_("Quit"), .run = quit_program},
};

enum { ITEMS = sizeof items / sizeof items[0] };

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
        pick_add(pick,
                 sitting->my_turn ? N_("Back to match %s (your turn): %s")
                                  : N_("Back to match %s: %s"),
                 sitting->match, sitting->row);
    }
    return count;
}

/* Asks the server what "Play now" is to open, after each login and each match. */
static void choose_first(struct stage *stage)
{
    if (stage->first_ms != stage->client->uplink.in_ms)
        first_game_choose(stage->client, &stage->first);
    stage->first_ms = stage->client->uplink.in_ms;
}

/* Tells of the puzzle of today, too. */
static void add_puzzles(struct pick *pick)
{
    int streak;
    bool done = attempt_is_done_today(&streak);

    if (done)
        pick_add(pick, "Puzzles (today's: solved; days in a row: %d)", streak);
    else if (streak > 0)
        pick_add(pick, "Puzzles (today's: new; days in a row: %d)", streak);
    else
        pick_add(pick, "Puzzles (today's: new)");
}

/* Adds the rows that are always there. The first one names the match that it opens. */
static void add_items(const struct first_game *first, struct pick *pick)
{
    char label[GAME_LABEL_MAX];

    for (int i = 0; i < ITEMS; i++) {
        pick->keys[pick->count] = items[i].key;
        pick->groups[pick->count] = items[i].group != NULL ? _(items[i].group) : NULL;
        if (items[i].run == puzzle_part_choose) {
            add_puzzles(pick);
            continue;
        }
        if (items[i].run != play_now) {
            pick_add(pick, "%s", _(items[i].text));
            continue;
        }
        const char *variant = strchr(first->game, ':');
        snprintf(label, sizeof label, "%.*s", (int)strcspn(first->game, ":"), first->game);
        const struct game *game = game_find(label, strlen(label));
        pick_add(pick, "Play now: %s %s against %s", game != NULL ? _(game->title) : label,
                 variant != NULL ? variant + 1 : "", first->bot);
    }
}

/* Writes as whom the player is where, and how friends join. */
static void write_who(const struct client *client, char *who, size_t size)
{
    const char *invitation = hosting_invitation(client);
    char me[CLIENT_ME_MAX];

    client_me(client, _("a guest"), me);
    if (invitation != NULL && client->host->on_network)
        snprintf(who, size, _("Playing as %s. Friends: %.200s"), me, invitation);
    else if (invitation != NULL)
        snprintf(who, size, _("Playing as %s. No network here: friends cannot reach you"), me);
    else if (hosting_is_private(client))
        snprintf(who, size,
                 client->host->keeps
                     ? _("Playing as %s, on a private server that keeps your matches")
                     : _("Playing as %s, on a private server that does not keep your matches"),
                 me);
    else
        snprintf(who, size, _("Playing as %s on %.200s"), me, client->uplink.servers.at);
}

/* Where the cursor begins: on the row where it was, even if that was gone for a moment, as while
 * the connection is lost; or on the first row. */
static int first_row(struct stage *stage, int waiting, char commands[][MATCH_ID_MAX + 8])
{
    if (stage->menu_at < 0 && stage->menu_row[0] == '\0' && waiting > 0)
        memcpy(stage->menu_row, commands[0], sizeof stage->menu_row);
    else if (stage->menu_at < 0 && stage->menu_row[0] == '\0')
        stage->menu_at = 0;
    for (int i = 0; i < waiting && stage->menu_at < 0; i++)
        if (strcmp(commands[i], stage->menu_row) == 0)
            return i;
    return stage->menu_at >= 0 ? waiting + stage->menu_at : 0;
}

/* Notes where the cursor is when the player leaves the menu, which begins with the first row again
 * if that is what they have chosen; or when something was said, which does not move it. */
static void keep_row(struct stage *stage, int at, int waiting, const char *command, bool leaves)
{
    bool waits = at < waiting, first = leaves && at <= waiting;

    stage->menu_at = waits || first ? -1 : at - waiting;
    snprintf(stage->menu_row, sizeof stage->menu_row, "%s", waits && !first ? command : "");
}

static void paint_aside(const struct stage *stage, const void *context)
{
    television_paint(context, stage);
}

static void tick_aside(struct stage *stage, void *context)
{
    television_tick(context, stage);
}

void start_run(struct stage *stage, struct television *television)
{
    struct client *client = stage->client;

    if (stage->tournament[0] != '\0') {
        tournament_part_follow(stage);
        return;
    }
    char commands[SITTINGS_MAX + 1][MATCH_ID_MAX + 8], who[CLIENT_ME_MAX + 256];
    struct pick pick = {
        .title = "Ludus", .detail = who, .until_said = true, .top = true, .keyed = true};

    choose_first(stage); /* what comes meanwhile is in the rows */
    int waiting = add_waiting(client, &pick, commands);
    for (int i = 0; i < waiting; i++)
        pick.keys[i] = i < 9 ? (char)('1' + i) : ' ';
    add_items(&stage->first, &pick);
    write_who(client, who, sizeof who);
    int first = pick.at = first_row(stage, waiting, commands);
    television_begin(television, stage);
    pick.aside_x = TELEVISION_X;
    pick.aside_columns = TELEVISION_COLUMNS;
    pick.aside_paint = paint_aside;
    pick.aside_tick = tick_aside;
    pick.aside = television;
    int at = pick_run(stage, &pick);
    stage->wake_ms = 0;
    bool leaves = at != PICK_NONE || stage_is_over(stage);
    if (leaves || pick.at != first)
        keep_row(stage, pick.at, waiting, pick.at < waiting ? commands[pick.at] : "", leaves);
    if (at >= waiting) {
        if (items[at - waiting].run == quit_program && pick.by_key)
            leave_program(stage);
        else if (items[at - waiting].run != NULL)
            items[at - waiting].run(stage);
        else if (items[at - waiting].command != NULL)
            show_command(stage, items[at - waiting].command, _(items[at - waiting].text));
        else
            setup_form_run(stage, items[at - waiting].setup);
    } else if (at >= 0)
        player_command_run(client, commands[at]);
    else if (at == PICK_BACK)
        leave_program(stage);
    if (client->go)
        stage->first_ms = 0;
}
