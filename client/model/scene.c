#include "scene.h"

#include <ctype.h>
#include <string.h>

/* In the text of a move, every letter with a number behind it is a square. */
void scene_mark_move(const char *move, int width, int height, bool squares[BOARD_SQUARES_MAX])
{
    memset(squares, 0, BOARD_SQUARES_MAX * sizeof squares[0]);
    for (; *move != '\0'; move++) {
        int file = tolower((unsigned char)*move) - 'a', rank = 0;
        while (isdigit((unsigned char)move[1]) && rank < BOARD_SIDE_MAX)
            rank = rank * 10 + *++move - '0';
        if (file >= 0 && file < width && rank >= 1 && rank <= height)
            squares[(rank - 1) * width + file] = true;
    }
}

void scene_set(struct scene *scene, const struct game *game, const struct position *position,
               const char *last)
{
    scene->game = game;
    scene->position = *position;
    game->board(position, &scene->board);
    scene->legal_count = game->legal(position, scene->legal);
    scene_mark_move(last, scene->board.width, scene->board.height, scene->last);
}

void scene_read(struct scene *scene, const struct match_state *view)
{
    const struct game *game;
    struct position position;
    struct cause cause;

    if (!match_state_parse(view, &game, &position, &cause)) {
        *scene = (struct scene){.board = view->board};
        scene_mark_move(view->last, view->board.width, view->board.height, scene->last);
        return;
    }
    scene_set(scene, game, &position, view->last);
    if (view->status != STATE_PLAYING)
        scene->legal_count = 0;
}

bool scene_piece(char cell, enum color *color)
{
    *color = isupper((unsigned char)cell) ? WHITE : BLACK;
    return isalpha((unsigned char)cell) != 0;
}
