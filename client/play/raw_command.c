#include "raw_command.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/talk/client_request.h"

enum { WORDS_MAX = 2048 }; /* bytes with the final NUL */

static void show_json(struct client *client, const cJSON *reply)
{
    char *text = cJSON_PrintUnformatted(reply);

    if (text != NULL) {
        console_text(&client->console, text); /* one line, however long */
        console_text(&client->console, "\n");
    }
    cJSON_free(text);
}

/* Adds a value in words: "white anna, black bob", "b1a1 c1d1". */
static void add_words(const cJSON *value, char words[WORDS_MAX])
{
    size_t used = strlen(words);
    const cJSON *item;

    if (cJSON_IsString(value)) {
        snprintf(words + used, WORDS_MAX - used, "%s", value->valuestring);
    } else if (cJSON_IsNumber(value)) {
        snprintf(words + used, WORDS_MAX - used, "%.15g", value->valuedouble);
    } else if (cJSON_IsBool(value)) {
        snprintf(words + used, WORDS_MAX - used, "%s", cJSON_IsTrue(value) ? "yes" : "no");
    } else if (value->child == NULL) {
        snprintf(words + used, WORDS_MAX - used, "none");
    }
    cJSON_ArrayForEach (item, value) {
        used = strlen(words);
        snprintf(words + used, WORDS_MAX - used, "%s%s%s", item == value->child ? "" : ", ",
                 item->string != NULL ? item->string : "", item->string != NULL ? " " : "");
        add_words(item, words);
    }
}

/* Says a member in a line, or a list of objects in a line each. */
static void show_member(struct client *client, const cJSON *member)
{
    bool list = cJSON_IsArray(member) && cJSON_IsObject(member->child);
    const cJSON *first = list ? member->child : member, *row;

    for (row = first; row != NULL; row = list ? row->next : NULL) {
        char words[WORDS_MAX] = "";
        add_words(row, words);
        console_say(&client->console, "%s: %s", member->string, words);
    }
}

static void show_words(struct client *client, const cJSON *reply)
{
    const cJSON *member;
    int count = 0;

    if (!client_accepted(client, reply))
        return;
    cJSON_ArrayForEach (member, reply) {
        if (strcmp(member->string, "type") == 0 || strcmp(member->string, "cmd") == 0)
            continue;
        show_member(client, member);
        count++;
    }
    if (count == 0)
        console_say(&client->console, "Done.");
}

/* With format=text this program would understand nothing more. */
void raw_command_run(struct client *client, const char *line)
{
    if (strcasestr(line, "format=") != NULL) {
        console_say(&client->console, "Replies must stay JSON here.");
        return;
    }
    cJSON *reply = client_request(client, "%s", line);
    if (reply == NULL)
        return;
    if (client->front != NULL)
        show_words(client, reply);
    else
        show_json(client, reply);
    if (strcmp(json_text_or(reply, "type", ""), "bye") == 0)
        client->quit = true;
    cJSON_Delete(reply);
}
