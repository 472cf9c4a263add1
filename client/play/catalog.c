#include "catalog.h"

#include <string.h>

#include "client/link/json_read.h"
#include "client/talk/client_request.h"

static void show_entry(struct client *client, const cJSON *entry)
{
    console_say(&client->console, "%s", json_text_or(entry, "title", "?"));
    console_paragraph(&client->console, json_text_or(entry, "summary", ""));
    console_say(&client->console, "  Variants: %s", json_text_or(entry, "variants_text", "?"));
}

void catalog_show(struct client *client, const char *name)
{
    cJSON *reply = client_ask(client, "games");
    const cJSON *entry, *entries = json_member(reply, "games");

    cJSON_ArrayForEach (entry, entries) {
        if (name == NULL || strcmp(name, json_text_or(entry, "name", "")) == 0)
            show_entry(client, entry);
    }
    cJSON_Delete(reply);
}
