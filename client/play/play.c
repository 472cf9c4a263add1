#include "play.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/talk/client_request.h"
#include "client/talk/sitting.h"
#include "common/levels.h"

/* The level of a house bot; NULL for other players. */
static const char *level_of(const cJSON *player)
{
    const char *name = json_text_or(player, "name", "");

    return strncmp(name, "bot:", 4) == 0 ? name + 4 : NULL;
}

static void add_bot(struct bot_choice *bots, const char *level)
{
    if (bots->count == HOUSE_BOTS_MAX)
        return;
    if (strcmp(level, "greedy") == 0)
        bots->usual = bots->count;
    snprintf(bots->names[bots->count++], HOUSE_BOT_NAME_MAX, "bot:%.35s", level);
}

static bool is_there(const cJSON *players, const char *level)
{
    const cJSON *player;

    cJSON_ArrayForEach (player, players) {
        const char *other = level_of(player);
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
        const char *level = level_of(player);
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
    char list[HOUSE_BOTS_MAX * (HOUSE_BOT_NAME_MAX + 2)] = "";
    size_t used = 0;

    list_bots(client, &bots);
    for (int i = 0; i < bots.count; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
                                 bots.names[i]);
    if (used > 0)
        console_say(&client->console, "The house bots here are %s.", list);
    else
        console_say(&client->console, "There are no house bots here.");
}

static bool is_house_bot(const char *seat)
{
    return seat != NULL && strncmp(seat, "bot:", 4) == 0;
}

void play_add_option(char *line, size_t size, const char *name, const char *value)
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
