/* The board on the screen, and its pieces: a symbol or letter in one column, or a drawing. */
#ifndef LUDUS_SCREEN_BOARD_VIEW_H
#define LUDUS_SCREEN_BOARD_VIEW_H

#include <stdbool.h>

#include "client/games/guide.h"
#include "client/ludus/screen/stage/keys.h"
#include "client/ludus/screen/stage/paint.h"
#include "client/ludus/screen/stage/stage.h"
#include "select.h"

struct piece_view {
    const struct theme *theme; /* borrowed */
    const struct guide *guide; /* borrowed; NULL: letters */
    char piece;
    enum ground ground;
};

/* Paints a piece in one column. Without colours, where both sides have one symbol, white's is
 * hollow. */
void piece_view_paint(const struct piece_view *view, int y, int x);

/* Adds what tells white from black, and tiles from holes, where colours do not; guide may be NULL.
 */
void board_view_add_legend(const struct theme *theme, const struct guide *guide,
                           const struct board *board, struct lines *lines);

struct board_view {
    int y, x;          /* the top left corner, with the coordinates */
    int width, height; /* of it all, in columns and rows */
    int cell_width, cell_height, files, ranks;
    int size, largest; /* from 0, the largest there is; and the largest that fits */
    bool flip;         /* seen from black's side */
};

/* What to draw. Everything is borrowed. */
struct board_paint {
    const struct theme *theme;
    const struct scene *scene;
    const struct guide *guide;         /* NULL: none */
    const struct selection *selection; /* NULL: nothing can be chosen */
    const struct marks *marks;
};

/* Makes the board as large as it fits into that many rows and columns, and as the player wants it.
 */
void board_view_fit(struct board_view *view, const struct theme *theme, const struct board *board,
                    int rows, int columns);

/* Takes the actions that make boards larger or smaller, and notes it in the settings; false for
 * others. */
bool board_view_take(const struct board_view *view, struct stage *stage, enum action action);

void board_view_paint(const struct board_view *view, const struct board_paint *paint);

/* The square at a place on the screen; -1 if there is none, also for a zeroed view. */
int board_view_square(const struct board_view *view, int y, int x);

#endif
