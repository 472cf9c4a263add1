#include "board_json.h"

#include <string.h>

#include "move.h"

static bool rows_json(cJSON *object, const struct board *board)
{
    char rows[BOARD_SIDE_MAX][BOARD_SIDE_MAX + 1] = {{0}};
    const char *pointers[BOARD_SIDE_MAX];

    for (int i = 0; i < board->height; i++) {
        memcpy(rows[i], board->cell + (board->height - 1 - i) * board->width, (size_t)board->width);
        pointers[i] = rows[i];
    }
    cJSON *array = cJSON_CreateStringArray(pointers, board->height);
    return cJSON_AddItemToObject(object, "board", array);
}

bool board_json(cJSON *object, const struct game *game, const struct position *position)
{
    char text[POSITION_TEXT_MAX];
    struct board board;

    game->format(position, text);
    game->board(position, &board);
    if (cJSON_AddStringToObject(object, "turn", color_name(position->side)) == NULL ||
        cJSON_AddStringToObject(object, "position", text) == NULL || !rows_json(object, &board))
        return false;
    if (game->check != NULL &&
        cJSON_AddBoolToObject(object, "check", game->check(position)) == NULL)
        return false;
    if (game->score != NULL) {
        int points[2];
        game->score(position, points);
        cJSON *score = cJSON_AddObjectToObject(object, "score");
        if (score == NULL || cJSON_AddNumberToObject(score, "white", points[WHITE]) == NULL ||
            cJSON_AddNumberToObject(score, "black", points[BLACK]) == NULL)
            return false;
    }
    return true;
}

cJSON *legal_json(const struct game *game, const struct position *position, int from)
{
    struct move moves[MOVES_MAX];
    int count = game->legal(position, moves);
    cJSON *array = cJSON_CreateArray();

    for (int i = 0; i < count && array != NULL; i++) {
        char text[MOVE_TEXT_MAX];
        int square = moves[i].kind == MOVE_STEP ? moves[i].from : moves[i].to;
        if (from >= 0 && (moves[i].kind == MOVE_PASS || square != from))
            continue;
        move_format(position, moves[i], text);
        if (!cJSON_AddItemToArray(array, cJSON_CreateString(text))) {
            cJSON_Delete(array);
            array = NULL;
        }
    }
    return array;
}
