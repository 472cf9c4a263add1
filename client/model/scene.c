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

/* Takes the board as the server drew it, for an unknown game or an invalid position. */
static void read_rows(struct scene *scene, const struct match_state *view)
{
    *scene = (struct scene){.game = NULL};
    scene->board.height = view->height;
    scene->board.width = (int)strlen(view->rows[0]);
    for (int rank = 0; rank < view->height; rank++)
        memcpy(scene->board.cell + (size_t)rank * (size_t)scene->board.width,
               view->rows[view->height - 1 - rank], (size_t)scene->board.width);
    scene_mark_move(view->last, scene->board.width, scene->board.height, scene->last);
}

void scene_read(struct scene *scene, const struct match_state *view)
{
    const struct game *game = game_find(view->game, strlen(view->game));
    struct position position;
    struct cause cause;

    if (game == NULL || !game->parse(view->variant, view->position, &position, &cause)) {
        read_rows(scene, view);
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
