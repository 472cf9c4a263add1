#include "board_json.h"

#include <string.h>

#include "move.h"

static void rows_json(struct buffer *json, const struct board *board)
{
    char row[BOARD_SIDE_MAX + 1];

    json_open(json, "board", '[');
    for (int rank = board->height - 1; rank >= 0; rank--) {
        memcpy(row, board->cell + rank * board->width, (size_t)board->width);
        row[board->width] = '\0';
        json_word(json, NULL, row);
    }
    json_close(json, ']');
}

void board_json(struct buffer *json, const struct game *game, const struct position *position)
{
    char text[POSITION_TEXT_MAX];
    struct board board;

    game->format(position, text);
    game->board(position, &board);
    json_word(json, "turn", color_name(position->side));
    json_word(json, "position", text);
    rows_json(json, &board);
    if (game->check != NULL)
        json_bool(json, "check", game->check(position));
    if (game->score != NULL) {
        int points[2];
        game->score(position, points);
        json_open(json, "score", '{');
        json_integer(json, "white", points[WHITE]);
        json_integer(json, "black", points[BLACK]);
        json_close(json, '}');
    }
}

void moves_json(struct buffer *json, const char *name, const struct position *position,
                const struct move moves[], int count)
{
    json_open(json, name, '[');
    for (int i = 0; i < count; i++) {
        char text[MOVE_TEXT_MAX];
        move_format(position, moves[i], text);
        json_word(json, NULL, text);
    }
    json_close(json, ']');
}
