#include "script_ask.h"

#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "json_read.h"
#include "script.h"

const struct usage_row ask_rows[] = {
    SCRIPT_SERVER_ROWS, SCRIPT_GUEST_ROW, SCRIPT_JSON_ROW,
    SCRIPT_PLAIN_ROW,   SCRIPT_HELP_ROW,  {.name = NULL},
};

enum { LEFT = false, RIGHT = true };

/* A question: the server's verb is the word itself. */
struct question {
    const char *word, *text;
    int least, most;  /* arguments */
    const char *list; /* the member of the reply that is the list */
    struct column columns[COLUMNS_MAX];
};

static const struct question questions[] = {
    {"list",
     "Lists the open and running matches, the newest first.",
     0,
     0,
     "matches",
     {{"match", LEFT},
      {"game", LEFT},
      {"variant", LEFT},
      {"white", LEFT},
      {"black", LEFT},
      {"status", LEFT},
      {"ply", RIGHT},
      {"watchers", RIGHT},
      {"clock", LEFT}}},
    {"who",
     "Lists the players who are connected.",
     0,
     0,
     "players",
     {{"name", LEFT}, {"bot", LEFT}, {"rating", RIGHT}, {"rating_game", LEFT}, {"playing", RIGHT}}},
    {"top",
     "Lists the best players of a game, of a variant, or of all.",
     0,
     1,
     "players",
     {{"game", LEFT},
      {"variant", LEFT},
      {"rank", RIGHT},
      {"name", LEFT},
      {"bot", LEFT},
      {"rating", RIGHT},
      {"deviation", RIGHT},
      {"matches", RIGHT}}},
    {"history",
     "Lists the finished matches of a player, the latest first. Without NAME they are\n"
     "your own, by your name on this machine.",
     0,
     1,
     "matches",
     {{"match", LEFT},
      {"date", LEFT},
      {"game", LEFT},
      {"variant", LEFT},
      {"white", LEFT},
      {"black", LEFT},
      {"result", LEFT},
      {"reason", LEFT},
      {"plies", RIGHT},
      {"white_rating", RIGHT},
      {"black_rating", RIGHT}}},
    {"games",
     "Lists the games of the server.",
     0,
     0,
     "games",
     {{"name", LEFT}, {"title", LEFT}, {"default", LEFT}, {"variants", LEFT}}},
    {"stats", "Prints the counters of the server.", 0, 0, NULL, {{"name", LEFT}, {"value", RIGHT}}},
    {"moves",
     "Prints the legal moves of the side to move, with SQUARE those from or onto it.",
     1,
     2,
     "moves",
     {{"move", LEFT}}},
};

static const struct question *find(const char *word)
{
    const struct question *question = questions;

    while (strcmp(question->word, word) != 0)
        question++;
    return question;
}

/* What --help says: which fields there are. */
static void write_help(const struct question *question, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s\n\nFields:", question->text);

    for (const struct column *column = question->columns; column->member != NULL; column++)
        used += (size_t)snprintf(text + used, size - used, " %s", column->member);
    snprintf(text + used, size - used,
             ".\nOn a terminal in columns, else, without titles, with one tab between\n"
             "them; - is none.");
}

/* Makes a row of every plain value of the reply, or of every text of the list. */
static cJSON *make_rows(const struct question *question, const cJSON *reply)
{
    const cJSON *list = question->list != NULL ? json_member(reply, question->list) : reply;
    const cJSON *item;
    cJSON *rows = cJSON_CreateArray();

    cJSON_ArrayForEach (item, list) {
        cJSON *row = cJSON_CreateObject();
        if (question->list != NULL) {
            cJSON_AddItemReferenceToObject(row, question->columns[0].member, (cJSON *)item);
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
        script_print_json(script, reply);
    else
        columns_print(objects ? list : made, question->columns, aligned);
    if (script->values[SCRIPT_JSON] == NULL && aligned)
        print_rest(question, reply, cJSON_GetArraySize(list));
    cJSON_Delete(made);
}

/* A history is asked for by name, so that nobody has to go for it. */
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

int ask_main(int argc, char *argv[])
{
    const struct question *question = find(argv[0]);
    struct script script;
    char help[1024];
    int status;

    write_help(question, help, sizeof help);
    if (!script_read(&script, argc, argv, question->least, question->most, help, &status))
        return status;
    if (script_begin(&script, false)) {
        const char *first = first_word(&script);
        const char *second = script.word_count > 1 ? script.words[1] : "";
        cJSON *reply =
            script_ask(&script, "%s%s%s%s%s", question->word, first[0] != '\0' ? " " : "", first,
                       second[0] != '\0' ? " " : "", second);
        if (reply != NULL && strcmp(json_text_or(reply, "type", ""), question->word) != 0)
            client_fail(&script.client, "%s: the answer is none", script.what);
        else if (reply != NULL)
            print(&script, question, reply);
        cJSON_Delete(reply);
    }
    return script_end(&script);
}
