#include "play.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "client/link/json_read.h"
#include "common/levels.h"
#include "hosting.h"
#include "login.h"
#include "match_words.h"

/* The level of a house bot; NULL for other players. */
static const char *level_of_player(const cJSON *player)
{
    const char *name = json_text_or(player, "name", "");

    return strncmp(name, "bot:", 4) == 0 ? name + 4 : NULL;
}

static void add_bot(struct bot_choice *bots, const char *level)
{
    if (bots->count == HOUSE_BOTS_MAX)
        return;
    if (strcmp(level, "greedy") == 0 || strcmp(level, "gentle") == 0) /* gentle, if it is there */
        bots->usual = bots->count;
    snprintf(bots->names[bots->count++], HOUSE_BOT_NAME_MAX, "bot:%.35s", level);
}

static bool is_there(const cJSON *players, const char *level)
{
    const cJSON *player;

    cJSON_ArrayForEach (player, players) {
        const char *other = level_of_player(player);
        if (other != NULL && strcmp(other, level) == 0)
            return true;
    }
    return false;
}

static void list_bots(struct client *client, struct bot_choice *bots)
{
    cJSON *reply = client_request(client, "who");
    const cJSON *player, *players = json_member(reply, "players");

    bots->count = bots->usual = 0;
    for (const char *const *level = level_names; *level != NULL; level++)
        if (is_there(players, *level))
            add_bot(bots, *level);
    cJSON_ArrayForEach (player, players) {
        const char *level = level_of_player(player);
        if (level != NULL && !level_is_known(level))
            add_bot(bots, level);
    }
    cJSON_Delete(reply);
}

void play_list_bots(struct client *client, struct bot_choice *bots)
{
    list_bots(client, bots);
    if (bots->count > 0)
        return;
    add_bot(bots, "random");
    add_bot(bots, "greedy");
}

/* Brings the match that the reply names to the screen; its state follows. Frees the reply. */
static bool show_opened(struct client *client, cJSON *reply)
{
    char match[MATCH_ID_MAX];
    bool opened = reply != NULL;

    json_copy(match, sizeof match, reply, "match");
    cJSON_Delete(reply);
    if (opened)
        client_show(client, match);
    return opened;
}

/* Lists the house bots for a player who asked for another one. */
static void list_house_bots(struct client *client)
{
    struct bot_choice bots;
    char list[HOUSE_BOTS_MAX * (HOUSE_BOT_NAME_MAX + 2)] = "", text[sizeof list + 64];

    list_bots(client, &bots);
    for (int i = 0; i < bots.count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "",
                 bots.names[i]);
    snprintf(text, sizeof text, _("the house bots here are %s"), list);
    client_say_refusal(client, bots.count > 0 ? text : _("there are no house bots here"));
}

static bool is_house_bot(const char *seat)
{
    return seat != NULL && strncmp(seat, "bot:", 4) == 0;
}

/* Adds " name=value" to a command of `size` bytes at most, or nothing without a value. */
static void play_add_option(char *line, size_t size, const char *name, const char *value)
{
    size_t used = strlen(line);

    if (value != NULL)
        snprintf(line + used, size - used, " %s=%s", name, value);
}

void play_write_new(const struct new_match *new_match, char line[NEW_LINE_MAX])
{
    snprintf(line, NEW_LINE_MAX, "new %s", new_match->game);
    play_add_option(line, NEW_LINE_MAX, "white", new_match->white);
    play_add_option(line, NEW_LINE_MAX, "black", new_match->black);
    play_add_option(line, NEW_LINE_MAX, "clock", new_match->clock);
    play_add_option(line, NEW_LINE_MAX, "private", new_match->hidden ? "yes" : NULL);
    play_add_option(line, NEW_LINE_MAX, "rated",
                    new_match->rated == RATED_USUAL ? NULL
                    : new_match->rated == RATED_YES ? "yes"
                                                    : "no");
    play_add_option(line, NEW_LINE_MAX, "position", new_match->position);
}

bool play_open(struct client *client, const struct new_match *new_match)
{
    char line[NEW_LINE_MAX];

    play_write_new(new_match, line);
    cJSON *reply = client_request(client, "%s", line);
    bool unknown = strcmp(json_text_or(reply, "code", ""), "unknown-player") == 0;

    if (reply != NULL && client_accepted(client, reply))
        return show_opened(client, reply);
    cJSON_Delete(reply);
    if (unknown && (is_house_bot(new_match->white) || is_house_bot(new_match->black)))
        list_house_bots(client);
    return false;
}

/* A player who sits there only looks: joining again would take the other seat as well. */
bool play_join(struct client *client, const char *match)
{
    if (sitting_has(client, match))
        return play_watch(client, match);
    return show_opened(client, client_ask(client, "join %s", match));
}

bool play_watch(struct client *client, const char *match)
{
    return show_opened(client, client_ask(client, "watch %s", match));
}

bool play_is_listed(const cJSON *row, const char *status)
{
    bool free_seat =
        json_text_or(row, "white", NULL) == NULL || json_text_or(row, "black", NULL) == NULL;

    return strcmp(json_text_or(row, "status", ""), status) == 0 &&
           (strcmp(status, "open") != 0 || free_seat);
}

/* Counts the matches of that status, and copies the first one's id; "" for none. */
static int count_listed(const cJSON *reply, const char *status, char first[MATCH_ID_MAX])
{
    const cJSON *row, *rows = json_member(reply, "matches");
    int count = 0;

    first[0] = '\0';
    cJSON_ArrayForEach (row, rows) {
        if (play_is_listed(row, status) && count++ == 0)
            json_copy(first, MATCH_ID_MAX, row, "match");
    }
    return count;
}

/* Joins the only open match or, where none is open, watches the only one that runs. */
static enum beginning join_listed(struct client *client)
{
    char open_one[MATCH_ID_MAX], running[MATCH_ID_MAX];
    cJSON *reply = client_request(client, "list");
    int open = count_listed(reply, "open", open_one);
    int run = count_listed(reply, "playing", running);

    cJSON_Delete(reply);
    if (open == 1)
        play_join(client, open_one);
    else if (open == 0 && run == 1)
        play_watch(client, running);
    else
        return open == 0 ? BEGIN_ALONE : BEGIN_JOIN;
    return BEGIN_MENU;
}

enum beginning play_join_any(struct client *client)
{
    char match[MATCH_ID_MAX];
    const char *other = sitting_other(client);

    if (other != NULL) {
        snprintf(match, sizeof match, "%s", other);
        play_watch(client, match);
    }
    return sitting_count(client) > 0 ? BEGIN_MENU : join_listed(client);
}

void play_tell_alone(struct client *client)
{
    console_say(&client->console, "No match is open there: open one, or wait for your friend's.");
}

/* What to play, before it is known which bots are there. */
struct first_choice {
    char game[GAME_CHOICE_MAX];
    int level; /* in level_names */
};

enum { FIRST_LEVEL = 2 /* gentle: it looks a little ahead, and errs often */ };

static int level_count(void)
{
    int count = 0;

    while (level_names[count] != NULL)
        count++;
    return count;
}

static int clamp_level(int level)
{
    if (level < 0)
        return 0;
    return level < level_count() ? level : level_count() - 1;
}

/* The index of the level of a house bot; -1 for other players. */
static int level_of(const char *player)
{
    int level = strncmp(player, "bot:", 4) == 0 ? level_count() - 1 : -1;

    while (level >= 0 && strcmp(level_names[level], player + 4) != 0)
        level--;
    return level;
}

/* Takes game and level after a finished match; false if it was not against a house bot. */
static bool follow_finished(const cJSON *row, struct first_choice *choice)
{
    const char *white = json_text_or(row, "white", ""), *black = json_text_or(row, "black", "");
    const char *result = json_text_or(row, "result", "*");
    bool bot_is_white = level_of(white) >= 0;
    int level = level_of(bot_is_white ? white : black);

    if (level < 0)
        return false;
    bool lost = strcmp(result, bot_is_white ? "1-0" : "0-1") == 0;
    bool won = strcmp(result, bot_is_white ? "0-1" : "1-0") == 0;
    choice->level = clamp_level(level + won - lost);
    snprintf(choice->game, sizeof choice->game, "%s:%s", json_text_or(row, "game", ""),
             json_text_or(row, "variant", ""));
    return true;
}

/* Chooses by the latest match against a house bot. */
static void choose_first_game(struct client *client, struct first_choice *choice)
{
    cJSON *reply = client_request(client, "history");
    const cJSON *row, *rows = json_member(reply, "matches");

    *choice = (struct first_choice){.game = "clobber:5x6", .level = FIRST_LEVEL};
    cJSON_ArrayForEach (row, rows) {
        if (follow_finished(row, choice))
            break;
    }
    cJSON_Delete(reply);
}

/* The bot of that level or, where it is not connected, of the next weaker or else the weakest one.
 */
static const char *find_bot(const struct bot_choice *bots, int level)
{
    const char *name = bots->names[0];

    for (int i = 0; i < bots->count; i++) {
        int other = level_of(bots->names[i]);
        if (other >= 0 && other <= level)
            name = bots->names[i];
    }
    return name;
}

const char *play_bot_words(const char *name)
{
    static const char *const words[] = {N_("moves at random"),
                                        N_("takes what it can"),
                                        N_("for a first game"),
                                        N_("easy"),
                                        N_("medium"),
                                        N_("hard"),
                                        N_("very hard"),
                                        N_("for masters"),
                                        N_("as strong as it gets")};
    int level = level_of(name);

    return level >= 0 && level < (int)(sizeof words / sizeof words[0]) ? _(words[level]) : NULL;
}

int play_strength(const char *name)
{
    if (strncmp(name, "bot:", 4) != 0)
        return 0;
    return level_of(name) >= 0 ? 1 + level_of(name) : 1 + level_count();
}

enum color play_random_color(void)
{
    unsigned char byte = 0;

    (void)!getrandom(&byte, 1, 0);
    return (byte & 1) != 0 ? BLACK : WHITE;
}

void first_game_choose(struct client *client, struct first_game *first)
{
    struct bot_choice bots;
    struct first_choice choice;

    choose_first_game(client, &choice);
    play_list_bots(client, &bots);
    memcpy(first->game, choice.game, sizeof first->game);
    snprintf(first->bot, sizeof first->bot, "%s", find_bot(&bots, choice.level));
}

bool first_game_open(struct client *client, const struct first_game *first)
{
    return play_open(client,
                     &(struct new_match){.game = first->game, .white = "me", .black = first->bot});
}

static void add_seek_words(char words[SEEK_LINE_MAX], const char *value)
{
    size_t used = strlen(words);

    snprintf(words + used, SEEK_LINE_MAX - used, ", %s", value);
}

static void describe_seek(const struct new_seek *what, char words[SEEK_LINE_MAX])
{
    struct time_control control;
    struct cause cause;
    char clock[CLOCK_WORDS_MAX], text[96];

    snprintf(words, SEEK_LINE_MAX, "%s", what->game);
    if (what->clock != NULL && time_control_parse(what->clock, &control, &cause)) {
        clock_words_write(control.base_ms, control.increment_ms, clock);
        snprintf(text, sizeof text, _("clock %s"), clock);
        add_seek_words(words, text);
    } else {
        add_seek_words(words, _("no clock"));
    }
    if (what->color != NULL) {
        snprintf(text, sizeof text, _("you are %s"), _(what->color));
        add_seek_words(words, text);
    }
    if (what->rating != NULL) {
        snprintf(text, sizeof text, _("rating %s"), what->rating);
        add_seek_words(words, text);
    }
    if (what->bots != NULL && strcasecmp(what->bots, "yes") != 0)
        add_seek_words(words,
                       strcasecmp(what->bots, "no") == 0 ? _("people only") : _("bots only"));
    if (what->unrated)
        add_seek_words(words, _("not rated"));
}

/* Sends the command. False if it was refused. If the connection is lost meanwhile, the next
 * seeking_keep() sees that. */
static bool send_seek(struct seeking *seeking, struct client *client)
{
    seeking->login_ms = client->uplink.in_ms;
    cJSON *reply = client_request(client, "%s", seeking->line);
    seeking->refused = reply != NULL && !client_accepted(client, reply);
    json_copy(seeking->id, sizeof seeking->id, reply, "seek");
    cJSON_Delete(reply);
    return !seeking->refused && !client->quit;
}

bool seeking_begin(struct seeking *seeking, struct client *client, const struct new_seek *what)
{
    *seeking = (struct seeking){.since_ms = clock_ms()};
    snprintf(seeking->line, SEEK_LINE_MAX, "seek %s", what->game);
    play_add_option(seeking->line, SEEK_LINE_MAX, "clock", what->clock);
    play_add_option(seeking->line, SEEK_LINE_MAX, "color", what->color);
    play_add_option(seeking->line, SEEK_LINE_MAX, "rating", what->rating);
    play_add_option(seeking->line, SEEK_LINE_MAX, "bots", what->bots);
    play_add_option(seeking->line, SEEK_LINE_MAX, "rated", what->unrated ? "no" : NULL);
    describe_seek(what, seeking->words);
    return send_seek(seeking, client);
}

bool seeking_keep(struct seeking *seeking, struct client *client)
{
    if (client->go || client->quit || seeking->refused)
        return false;
    return client->uplink.in_ms == seeking->login_ms || send_seek(seeking, client);
}

/* A refusal means that somebody has been found by now. */
void seeking_end(struct seeking *seeking, struct client *client)
{
    if (!client->go && !client->quit && !seeking->refused)
        cJSON_Delete(client_request(client, "unseek %s", seeking->id));
}

/* Goes to the own server. A failure leaves the client where it was. */
static bool go_to_own_server(struct client *client, struct cause *cause)
{
    bool wants_code;

    return login_elsewhere(client, client->host->address, client->host->code, &wants_code, cause);
}

/* Starts the private server anew, open to the network. Its store has all matches. */
static bool open_private(struct client *client, struct cause *cause)
{
    char match[MATCH_ID_MAX];

    memcpy(match, client->view.match, sizeof match);
    uplink_close(&client->uplink);
    if (!hosting_launch(client, &(struct host_terms){.lan = true, .private_store = true}, cause) ||
        !go_to_own_server(client, cause)) {
        client_fail(client, "host: %s", cause->text); /* the old server is gone */
        return false;
    }
    if (match[0] != '\0')
        play_watch(client, match);
    client->go = false; /* it is the match that was on the screen */
    return true;
}

static bool begin_inviting(struct client *client, struct cause *cause)
{
    if (!hosting_is_private(client))
        return hosting_launch(client, &(struct host_terms){.lan = true}, cause) &&
               go_to_own_server(client, cause);
    if (client->host->borrowed)
        return cause_set(cause, "this server ends with your other `ludus`: type invite there");
    if (!client->host->keeps && sitting_count(client) > 0)
        return cause_set(cause, "the private server keeps nothing: finish your matches first");
    return open_private(client, cause);
}

bool invite_begin(struct client *client, struct cause *cause)
{
    bool begun = begin_inviting(client, cause);

    if (begun)
        hosting_tell(client);
    return begun;
}

void invite_tell(struct client *client)
{
    struct cause cause;

    if (hosting_invitation(client) != NULL)
        hosting_tell(client);
    else if (!hosting_is_private(client))
        console_say(&client->console,
                    "This server is not yours to open; `ludus host` starts one for friends.");
    else if (!invite_begin(client, &cause) && !client->quit)
        console_say(&client->console, "Friends cannot join: %s.", cause.text);
}
