#include "bot_choice.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/talk/client_request.h"
#include "common/levels.h"

/* The level of a house bot; NULL for other players. */
static const char *level_of(const cJSON *player)
{
    const char *name = json_text_or(player, "name", "");

    return strncmp(name, "bot:", 4) == 0 ? name + 4 : NULL;
}

static void add(struct bot_choice *bots, const char *level)
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

void bot_choice_list(struct client *client, struct bot_choice *bots)
{
    cJSON *reply = client_request(client, "who");
    const cJSON *player, *players = json_member(reply, "players");

    bots->count = bots->usual = 0;
    for (const char *const *level = level_names; *level != NULL; level++)
        if (is_there(players, *level))
            add(bots, *level);
    cJSON_ArrayForEach (player, players) {
        const char *level = level_of(player);
        if (level != NULL && !level_is_known(level))
            add(bots, level);
    }
    cJSON_Delete(reply);
}

void bot_choice_ask(struct client *client, struct bot_choice *bots)
{
    bot_choice_list(client, bots);
    if (bots->count > 0)
        return;
    add(bots, "random");
    add(bots, "greedy");
}
