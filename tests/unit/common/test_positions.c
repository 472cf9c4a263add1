/*
 * Known positions, from tests/positions/positions.jsonl. Each line is an object with "game",
 * "variant" (or null), "position", "moves" (all legal ones), "result" ([result, reason], or null
 * while the game goes on), "perft2" (nodes of perft 2) and "after" (the positions after some
 * moves).
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "common/game.h"
#include "common/move.h"

static const char path[] = "tests/positions/positions.jsonl";

struct row {
    int line;
    const cJSON *json;
    const struct game *game;
    struct position position;
};

static const char *text_of(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

/* The moves are exactly the legal ones: each is legal, and their number is right. */
static void check_moves(const struct row *row)
{
    const cJSON *moves = cJSON_GetObjectItemCaseSensitive(row->json, "moves"), *text;
    struct move move;
    struct cause cause;

    cJSON_ArrayForEach (text, moves) {
        const char *word = cJSON_GetStringValue(text);
        if (!move_parse(row->game, &row->position, word, &move, &cause)) {
            check_at(path, row->line, false, "%s is not legal: %s", word, cause.text);
            return;
        }
    }
    check_int_at(path, row->line, "number of moves", row->game->legal(&row->position, NULL),
                 cJSON_GetArraySize(moves));
}

static void check_result(const struct row *row)
{
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(row->json, "result");
    struct outcome outcome = row->game->outcome(&row->position);
    bool over = cJSON_IsArray(result);

    check_text_at(path, row->line, "result", result_text(outcome.result),
                  over ? cJSON_GetStringValue(cJSON_GetArrayItem(result, 0)) : "*");
    check_text_at(path, row->line, "reason", reason_text(outcome.reason),
                  over ? cJSON_GetStringValue(cJSON_GetArrayItem(result, 1)) : NULL);
}

static void check_after(const struct row *row)
{
    const cJSON *after = cJSON_GetObjectItemCaseSensitive(row->json, "after"), *item;
    char text[POSITION_TEXT_MAX];
    struct move move;
    struct cause cause;

    cJSON_ArrayForEach (item, after) {
        struct position next = row->position;
        if (!move_parse(row->game, &next, item->string, &move, &cause)) {
            check_at(path, row->line, false, "%s is not legal: %s", item->string, cause.text);
            continue;
        }
        row->game->apply(&next, move);
        row->game->format(&next, text);
        check_text_at(path, row->line, item->string, text, cJSON_GetStringValue(item));
    }
}

static void check_row(int line, const cJSON *json)
{
    const char *name = text_of(json, "game"), *text = text_of(json, "position");
    const cJSON *perft2 = cJSON_GetObjectItemCaseSensitive(json, "perft2");
    struct row row = {.line = line, .json = json};
    char written[POSITION_TEXT_MAX];
    struct cause cause;

    check_about("%s %s", name != NULL ? name : "", text != NULL ? text : "");
    if (name != NULL)
        row.game = game_find(name, strlen(name));
    if (!check_at(path, line, row.game != NULL && text != NULL, "no game or no position"))
        return;
    bool accepted = row.game->parse(text_of(json, "variant"), text, &row.position, &cause);
    if (!check_at(path, line, accepted, "refused: %s", cause.text))
        return;
    row.game->format(&row.position, written);
    check_text_at(path, line, "position", written, text);
    check_moves(&row);
    check_result(&row);
    check_after(&row);
    check_int_at(path, line, "perft 2", (long long)perft(row.game, &row.position, 2),
                 (long long)cJSON_GetNumberValue(perft2));
}

int main(void)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    for (int line = 1; file != NULL && getline(&text, &size, file) >= 0; line++) {
        cJSON *json = cJSON_Parse(text);
        check_row(line, json);
        cJSON_Delete(json);
    }
    free(text);
    if (file != NULL)
        fclose(file);
    return check_end("test_positions");
}
