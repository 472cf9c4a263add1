#include "joining.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/talk/client_request.h"
#include "client/talk/sitting.h"
#include "play.h"

bool joining_is_listed(const cJSON *row, const char *status)
{
    bool free_seat =
        json_text_or(row, "white", NULL) == NULL || json_text_or(row, "black", NULL) == NULL;

    return strcmp(json_text_or(row, "status", ""), status) == 0 &&
           (strcmp(status, "open") != 0 || free_seat);
}

static int count_open(const cJSON *reply, const char **first)
{
    const cJSON *row, *rows = json_member(reply, "matches");
    int count = 0;

    cJSON_ArrayForEach (row, rows) {
        if (!joining_is_listed(row, "open"))
            continue;
        if (count++ == 0)
            *first = json_text_or(row, "match", "");
    }
    return count;
}

enum beginning joining_begin(struct client *client)
{
    char match[MATCH_ID_MAX];
    const char *first = sitting_other(client);

    if (first != NULL) {
        snprintf(match, sizeof match, "%s", first);
        play_watch(client, match);
    }
    if (sitting_count(client) > 0)
        return BEGIN_MENU;
    first = "";
    cJSON *reply = client_request(client, "list");
    int open = count_open(reply, &first);
    snprintf(match, sizeof match, "%s", first);
    cJSON_Delete(reply);
    if (open == 1)
        play_join(client, match);
    return open == 0 ? BEGIN_ALONE : open > 1 ? BEGIN_JOIN : BEGIN_MENU;
}

void joining_tell_alone(struct client *client)
{
    console_say(&client->console, "No match is open there: open one, or wait for your friend's.");
}
