/* Pieces on the screen: a symbol or letter in one column, in three, or a drawing. */
#ifndef LUDUS_SCREEN_PIECE_VIEW_H
#define LUDUS_SCREEN_PIECE_VIEW_H

#include <stdbool.h>

#include "client/screen/stage/theme.h"
#include "special.h"

struct piece_view {
    const struct theme *theme;     /* borrowed */
    const struct special *special; /* borrowed; NULL: letters */
    char piece;
    enum ground ground;
};

enum { PIECE_WIDTH = 3 };

/* Paints a piece in one column. Where both sides have one symbol, black's is cut out of a block. */
void piece_view_paint(const struct piece_view *view, int y, int x);

/* Paints a piece in PIECE_WIDTH columns. Those beside it change only for a symbol in a block. */
void piece_view_paint_wide(const struct piece_view *view, int y, int x);

/* Paints the drawing of a piece (drawings.h) from the top left; false when it has none. */
bool piece_view_draw(const struct piece_view *view, int y, int x);

#endif
