#include "piece_view.h"

#include <ctype.h>
#include <string.h>

#include "client/screen/stage/paint.h"
#include "drawings.h"

static attr_t ink_of(const struct piece_view *view)
{
    enum color color = WHITE;

    scene_piece(view->piece, &color);
    return theme_ink(view->theme, color == WHITE ? OF_WHITE : OF_BLACK, view->ground);
}

/* The symbol of a piece, and its length in *bytes; NULL where it is shown by its letter. */
static const char *symbol_of(const struct piece_view *view, char piece, int *bytes)
{
    return view->theme->symbols ? special_symbol(view->special, piece, bytes) : NULL;
}

/* Whether the piece is black's and white's looks alike. */
static bool is_cut_out(const struct piece_view *view)
{
    char white = (char)toupper((unsigned char)view->piece);
    int bytes = 0, other_bytes = 0;
    const char *symbol = symbol_of(view, view->piece, &bytes);
    const char *other = symbol_of(view, white, &other_bytes);

    return view->piece != white && symbol != NULL && other != NULL && bytes == other_bytes &&
           memcmp(symbol, other, (size_t)bytes) == 0;
}

void piece_view_paint(const struct piece_view *view, int y, int x)
{
    attr_t ink = ink_of(view);
    int bytes = 1;
    const char *symbol = symbol_of(view, view->piece, &bytes);

    paint_format(y, x, 1, is_cut_out(view) ? ink ^ A_REVERSE : ink, "%.*s", bytes,
                 symbol != NULL ? symbol : &view->piece);
}

void piece_view_paint_wide(const struct piece_view *view, int y, int x)
{
    piece_view_paint(view, y, x + 1);
    if (!is_cut_out(view))
        return;
    paint_text(y, x, 1, ink_of(view), "▐");
    paint_text(y, x + 2, 1, ink_of(view), "▌");
}

bool piece_view_draw(const struct piece_view *view, int y, int x)
{
    const struct drawing *drawing = drawing_find(view->piece);

    if (drawing == NULL)
        return false;
    for (int i = 0; i < DRAWING_HEIGHT; i++)
        paint_text(y + i, x, DRAWING_WIDTH, ink_of(view),
                   view->theme->symbols ? drawing->blocks[i] : drawing->letters[i]);
    return true;
}
