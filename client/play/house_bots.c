#include "house_bots.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "common/levels.h"

/* The level of a house bot; NULL: nobody of the house. */
static const char *level_of(const cJSON *player)
{
    const char *name = json_text_or(player, "name", "");

    return strncmp(name, "bot:", 4) == 0 ? name + 4 : NULL;
}

static void add(struct house *house, const char *level)
{
    if (house->count == HOUSE_MAX)
        return;
    if (strcmp(level, "greedy") == 0)
        house->usual = house->count;
    snprintf(house->names[house->count++], HOUSE_NAME_MAX, "bot:%.35s", level);
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

void house_list(struct client *client, struct house *house)
{
    cJSON *reply = client_request(client, "who");
    const cJSON *player, *players = json_member(reply, "players");

    house->count = house->usual = 0;
    for (const char *const *level = level_names; *level != NULL; level++)
        if (is_there(players, *level))
            add(house, *level);
    cJSON_ArrayForEach (player, players) {
        const char *level = level_of(player);
        if (level != NULL && !level_is_known(level))
            add(house, level);
    }
    cJSON_Delete(reply);
}

void house_ask(struct client *client, struct house *house)
{
    house_list(client, house);
    if (house->count > 0)
        return;
    add(house, "random");
    add(house, "greedy");
}
