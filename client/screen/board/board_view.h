/* The board on the screen: how large, where, and what is on it. */
#ifndef LUDUS_SCREEN_BOARD_VIEW_H
#define LUDUS_SCREEN_BOARD_VIEW_H

#include "client/screen/stage/theme.h"
#include "select.h"
#include "special.h"

struct board_view {
    int y, x;          /* the top left corner, coordinates included */
    int width, height; /* of all, in columns and rows */
    int cell_width, cell_height, files, ranks;
    bool grid; /* lines between the squares, which cells then count in */
    bool flip; /* seen from black's side */
};

/* What is drawn. Everything is borrowed. */
struct board_paint {
    const struct theme *theme;
    const struct scene *scene;
    const struct special *special;     /* NULL: none */
    const struct selection *selection; /* NULL: nobody chooses here */
    const struct marks *marks;
};

/* Makes the board as large as it can be in that many rows and columns. */
void board_view_fit(struct board_view *view, const struct board *board, int rows, int columns);

void board_view_paint(const struct board_view *view, const struct board_paint *paint);

/* The square at a place of the screen, or -1; so it is for a zeroed view, drawn nowhere yet. */
int board_view_square(const struct board_view *view, int y, int x);

#endif
