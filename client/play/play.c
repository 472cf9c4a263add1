#include "play.h"

#include <stdio.h>
#include <string.h>

#include "bot_choice.h"
#include "client/link/json_read.h"
#include "client/talk/client_request.h"
#include "client/talk/sitting.h"

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

    bot_choice_list(client, &bots);
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

/* Adds " name=value", or nothing without a value. */
static void add_option(char line[NEW_LINE_MAX], const char *name, const char *value)
{
    size_t used = strlen(line);

    if (value != NULL)
        snprintf(line + used, NEW_LINE_MAX - used, " %s=%s", name, value);
}

void play_write_new(const struct new_match *new_match, char line[NEW_LINE_MAX])
{
    snprintf(line, NEW_LINE_MAX, "new %s", new_match->game);
    add_option(line, "white", new_match->white);
    add_option(line, "black", new_match->black);
    add_option(line, "clock", new_match->clock);
    add_option(line, "private", new_match->hidden ? "yes" : NULL);
    add_option(line, "position", new_match->position);
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
