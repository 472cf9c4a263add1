/* The board on the screen. */
#ifndef LUDUS_SCREEN_BOARD_VIEW_H
#define LUDUS_SCREEN_BOARD_VIEW_H

#include "client/screen/stage/theme.h"
#include "select.h"
#include "special.h"

struct board_view {
    int y, x;          /* the top left corner, with the coordinates */
    int width, height; /* of it all, in columns and rows */
    int cell_width, cell_height, files, ranks;
    bool grid; /* lines between the squares, part of the cells */
    bool flip; /* seen from black's side */
};

/* What to draw. Everything is borrowed. */
struct board_paint {
    const struct theme *theme;
    const struct scene *scene;
    const struct special *special;     /* NULL: none */
    const struct selection *selection; /* NULL: nothing can be chosen */
    const struct marks *marks;
};

/* Makes the board as large as it fits into that many rows and columns. */
void board_view_fit(struct board_view *view, const struct board *board, int rows, int columns);

void board_view_paint(const struct board_view *view, const struct board_paint *paint);

/* The square at a place on the screen; -1 if there is none, also for a zeroed view. */
int board_view_square(const struct board_view *view, int y, int x);

#endif
