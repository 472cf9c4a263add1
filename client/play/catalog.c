#include "catalog.h"

#include <string.h>

#include "client/link/json_read.h"

cJSON *catalog_ask(struct client *client)
{
    cJSON *reply = client_request(client, "games");

    if (reply != NULL && client_accepted(client, reply))
        return reply;
    cJSON_Delete(reply);
    return NULL;
}

const cJSON *catalog_games(const cJSON *reply)
{
    return json_member(reply, "games");
}

static void show_entry(struct client *client, const cJSON *entry)
{
    console_say(&client->console, "%s", json_text_or(entry, "title", "?"));
    console_paragraph(&client->console, json_text_or(entry, "summary", ""));
    console_say(&client->console, "  Variants: %s", json_text_or(entry, "variants_text", "?"));
}

void catalog_show(struct client *client, const char *name)
{
    cJSON *reply = catalog_ask(client);
    const cJSON *entry, *entries = catalog_games(reply);

    cJSON_ArrayForEach (entry, entries) {
        if (name == NULL || strcmp(name, json_text_or(entry, "name", "")) == 0)
            show_entry(client, entry);
    }
    cJSON_Delete(reply);
}
