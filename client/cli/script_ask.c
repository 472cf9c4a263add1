#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/term/columns.h"
#include "script.h"
#include "subcommands.h"

const struct usage_row ask_rows[] = {
    SCRIPT_SERVER_ROWS, SCRIPT_GUEST_ROW, SCRIPT_JSON_ROW,
    SCRIPT_PLAIN_ROW,   SCRIPT_HELP_ROW,  {.name = NULL},
};

/* A question to the server; the word is the verb. */
struct question {
    const char *word;
    int least, most;    /* arguments */
    const char *list;   /* the member of the reply that is the list; NULL: all members */
    const char *fields; /* the first names items that are no objects */
    const char *text;
};

static const struct question questions[] = {
    {"list", 0, 0, "matches", "match game variant white black status ply watchers clock",
     "Lists open and running matches, the newest first."},
    {"who", 0, 0, "players", "name bot rating rating_game playing", "Lists the connected players."},
    {"top", 0, 1, "players", "game variant rank name bot rating deviation matches",
     "Lists the best players of a game, a variant, or all games."},
    {"history", 0, 1, "matches",
     "match date game variant white black result reason plies white_rating black_rating",
     "Lists the finished matches of a player, the latest first. Without NAME it lists\n"
     "your own, by your name on this machine."},
    {"games", 0, 0, "games", "name title default variants", "Lists the games of the server."},
    {"stats", 0, 0, NULL, "name value", "Prints the counters of the server."},
    {"moves", 1, 2, "moves", "move",
     "Prints the legal moves of the side to move; with SQUARE those from or onto it."},
};

static const struct question *find(const char *word)
{
    const struct question *question = questions;

    while (strcmp(question->word, word) != 0)
        question++;
    return question;
}

/* Writes the help text. */
static void write_help(const struct question *question, char *text, size_t size)
{
    snprintf(text, size,
             "%s\n\nThe fields are\n  %s\n"
             "in columns on a terminal, else without titles and with one tab between them.\n"
             "- stands for none.",
             question->text, question->fields);
}

/* Makes a row of each plain value of the reply, or of each text of the list. */
static cJSON *make_rows(const struct question *question, const cJSON *reply)
{
    const cJSON *list = question->list != NULL ? json_member(reply, question->list) : reply;
    const cJSON *item;
    cJSON *rows = cJSON_CreateArray();
    const char *name = question->fields;

    cJSON_ArrayForEach (item, list) {
        cJSON *row = cJSON_CreateObject();
        if (question->list != NULL) {
            cJSON_AddItemReferenceToObject(row, name, (cJSON *)item);
        } else if (strcmp(item->string, "type") != 0) {
            cJSON_AddStringToObject(row, "name", item->string);
            cJSON_AddItemReferenceToObject(row, "value", (cJSON *)item);
        }
        if (row != NULL && row->child != NULL)
            cJSON_AddItemToArray(rows, row);
        else
            cJSON_Delete(row);
    }
    return rows;
}

static void print_rest(const struct question *question, const cJSON *reply, int shown)
{
    int total;

    if (json_int(reply, "total", &total) && total > shown)
        printf("(%d of %d %s)\n", shown, total, question->list);
}

static void print(struct script *script, const struct question *question, const cJSON *reply)
{
    bool aligned = script_is_aligned(script);
    const cJSON *list = question->list != NULL ? json_member(reply, question->list) : NULL;
    bool objects = list != NULL && cJSON_IsObject(list->child);
    cJSON *made = objects ? NULL : make_rows(question, reply);

    if (script->values[SCRIPT_JSON] != NULL)
        script_print_json(reply);
    else
        columns_print(objects ? list : made, question->fields, aligned);
    if (script->values[SCRIPT_JSON] == NULL && aligned)
        print_rest(question, reply, cJSON_GetArraySize(list));
    cJSON_Delete(made);
}

/* Asks for a history by name, so that no other client loses the name to this one. */
static const char *first_word(struct script *script)
{
    if (script->word_count > 0)
        return script->words[0];
    if (strcmp(script->command->word, "history") != 0)
        return "";
    if (script->values[SCRIPT_NAME] != NULL)
        return script->values[SCRIPT_NAME];
    identity_default_name(1, script->own_name);
    return script->own_name;
}

int ask_main(const struct usage_command *command, int argc, char *argv[])
{
    const struct question *question = find(argv[0]);
    struct script script;
    char help[1024];
    int status;

    write_help(question, help, sizeof help);
    if (!script_read(&script, command, argc, argv, question->least, question->most, help, &status))
        return status;
    if (script_begin(&script, false)) {
        const char *first = first_word(&script);
        const char *second = script.word_count > 1 ? script.words[1] : "";
        cJSON *reply =
            script_ask(&script, "%s%s%s%s%s", question->word, first[0] != '\0' ? " " : "", first,
                       second[0] != '\0' ? " " : "", second);
        if (reply != NULL && strcmp(json_text_or(reply, "type", ""), question->word) != 0)
            client_fail(&script.client, "%s: unexpected reply", script.what);
        else if (reply != NULL)
            print(&script, question, reply);
        cJSON_Delete(reply);
    }
    return script_end(&script);
}
