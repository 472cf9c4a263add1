#include "scene.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/link/match_state.h"
#include "common/move.h"

void scene_set(struct scene *scene, const struct game *game, const struct position *position,
               const char *last)
{
    scene->game = game;
    scene->position = *position;
    game->board(position, &scene->board);
    scene->legal_count = game->legal(position, scene->legal);
    move_mark_squares(last, scene->board.width, scene->board.height, scene->last);
}

void scene_read(struct scene *scene, const struct match_state *view)
{
    const struct game *game;
    struct position position;
    struct cause cause;

    if (!match_state_parse(view, &game, &position, &cause)) {
        *scene = (struct scene){.board = view->board};
        move_mark_squares(view->last, view->board.width, view->board.height, scene->last);
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

void facts_add(char facts[FACTS_MAX], const char *format, ...)
{
    size_t used = strlen(facts);
    va_list args;

    va_start(args, format);
    vsnprintf(facts + used, FACTS_MAX - used - 1, text_translated(format), args);
    va_end(args);
    strncat(facts, "\n", 2);
}

const int board_steps[8][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                               {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

bool board_step(const struct board *board, int *square, const int step[2])
{
    int file = *square % board->width + step[0], rank = *square / board->width + step[1];

    if (file < 0 || file >= board->width || rank < 0 || rank >= board->height)
        return false;
    *square = rank * board->width + file;
    return true;
}

int board_neighbours(const struct board *board, int square, int squares[4])
{
    int count = 0;

    for (int i = 0; i < 4; i++) {
        squares[count] = square;
        count += board_step(board, &squares[count], board_steps[i]);
    }
    return count;
}
