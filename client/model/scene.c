#include "scene.h"

#include <ctype.h>
#include <string.h>

/* Every letter with a number behind it in the text of a move is a square. */
static void read_last(struct scene *scene, const char *move)
{
    memset(scene->last, 0, sizeof scene->last);
    for (; *move != '\0'; move++) {
        int file = tolower((unsigned char)*move) - 'a', rank = 0;
        while (isdigit((unsigned char)move[1]) && rank < BOARD_SIDE_MAX)
            rank = rank * 10 + *++move - '0';
        if (file >= 0 && file < scene->board.width && rank >= 1 && rank <= scene->board.height)
            scene->last[(rank - 1) * scene->board.width + file] = true;
    }
}

void scene_set(struct scene *scene, const struct game *game, const struct position *position,
               const char *last)
{
    scene->game = game;
    scene->position = *position;
    game->board(position, &scene->board);
    scene->legal_count = game->legal(position, scene->legal);
    read_last(scene, last);
}

/* A game that is not known here, or a position that is none: what the server drew. */
static void read_rows(struct scene *scene, const struct match_state *view)
{
    *scene = (struct scene){.game = NULL};
    scene->board.height = view->height;
    scene->board.width = (int)strlen(view->rows[0]);
    for (int rank = 0; rank < view->height; rank++)
        memcpy(scene->board.cell + (size_t)rank * (size_t)scene->board.width,
               view->rows[view->height - 1 - rank], (size_t)scene->board.width);
    read_last(scene, view->last);
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
