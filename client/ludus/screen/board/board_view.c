#include "board_view.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static attr_t ink_of_piece(const struct piece_view *view)
{
    enum color color = WHITE;

    scene_piece(view->piece, &color);
    return theme_ink(view->theme, color == WHITE ? OF_WHITE : OF_BLACK, view->ground);
}

/* The symbol of a piece; NULL where it is shown by its letter. */
static const char *symbol_of(const struct piece_view *view, char piece)
{
    const struct look *look = view->theme->symbols ? guide_look(view->guide, piece) : NULL;

    return look != NULL ? look->symbol : NULL;
}

/* Whether the piece is black's and white's looks alike. */
static bool is_cut_out(const struct piece_view *view)
{
    char white = (char)toupper((unsigned char)view->piece);
    const char *symbol = symbol_of(view, view->piece), *other = symbol_of(view, white);

    return view->piece != white && symbol != NULL && other != NULL && strcmp(symbol, other) == 0;
}

void piece_view_paint(const struct piece_view *view, int y, int x)
{
    attr_t ink = ink_of_piece(view);
    const char letter[] = {view->piece, '\0'}, *symbol = symbol_of(view, view->piece);

    paint_text(y, x, 1, is_cut_out(view) ? ink ^ A_REVERSE : ink, symbol != NULL ? symbol : letter);
}

void piece_view_paint_wide(const struct piece_view *view, int y, int x)
{
    piece_view_paint(view, y, x + 1);
    if (!is_cut_out(view))
        return;
    paint_text(y, x, 1, ink_of_piece(view), "▐");
    paint_text(y, x + 2, 1, ink_of_piece(view), "▌");
}

/* Paints the drawing of a piece from the top left; false when it has none. */
static bool piece_view_draw(const struct piece_view *view, int y, int x)
{
    const struct look *look = guide_look(view->guide, view->piece);

    if (look == NULL)
        return false;
    for (int i = 0; i < DRAWING_HEIGHT; i++)
        paint_text(y + i, x, DRAWING_WIDTH, ink_of_piece(view),
                   view->theme->symbols ? look->blocks[i] : look->letters[i]);
    return true;
}

enum { MARGIN = 3, SQUARE_WIDTH_MAX = 8 }; /* for the numbers of ranks */

static const struct {
    int width, height;
    bool grid;
} sizes[] = {{8, 4, true}, {6, 4, true}, {7, 3, false}, {4, 2, true}, {3, 1, false}};

enum { SIZES = sizeof sizes / sizeof sizes[0] };

void board_view_fit(struct board_view *view, const struct board *board, int rows, int columns)
{
    view->files = board->width;
    view->ranks = board->height;
    for (int i = 0; i < SIZES; i++) {
        view->cell_width = sizes[i].width;
        view->cell_height = sizes[i].height;
        view->grid = sizes[i].grid;
        view->width = MARGIN + board->width * sizes[i].width + sizes[i].grid;
        view->height = board->height * sizes[i].height + sizes[i].grid + 1;
        if (view->width <= columns && view->height <= rows)
            return;
    }
}

/* The square at a column and row of the drawing, from the top left. */
static int square_at(const struct board_view *view, int column, int row)
{
    int file = view->flip ? view->files - 1 - column : column;
    int rank = view->flip ? row : view->ranks - 1 - row;

    return rank * view->files + file;
}

int board_view_square(const struct board_view *view, int y, int x)
{
    int column = x - view->x - MARGIN - view->grid, row = y - view->y - view->grid;

    if (view->cell_width == 0 || column < 0 || row < 0 ||
        column / view->cell_width >= view->files || row / view->cell_height >= view->ranks)
        return -1;
    return square_at(view, column / view->cell_width, row / view->cell_height);
}

static void paint_grid(const struct board_view *view, const struct theme *theme)
{
    static const char *ascii[3] = {"+", "+", "+"};
    static const char *lines[3][3] = {{"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}};
    attr_t ink = theme_faint(theme);

    for (int row = 0; row <= view->ranks; row++) {
        int y = view->y + row * view->cell_height;
        int kind = row == 0 ? 0 : row == view->ranks ? 2 : 1;
        /* Paint a line of the grid; corners are its left end, crossings and right end. */
        char line[BOARD_SIDE_MAX * SQUARE_WIDTH_MAX * 4 + 8] = "";
        size_t used = 0;
        for (int i = 0; i <= view->files * view->cell_width; i++) {
            int end = i == 0 ? 0 : i == view->files * view->cell_width ? 2 : 1;
            const char *piece = i % view->cell_width == 0
                                    ? (theme->unicode ? lines[kind] : ascii)[end]
                                : theme->unicode ? "─"
                                                 : "-";
            used += (size_t)snprintf(line + used, sizeof line - used, "%s", piece);
        }
        paint_text(y, view->x + MARGIN, view->files * view->cell_width + 1, ink, line);
        for (int i = 1; i < view->cell_height && row < view->ranks; i++)
            for (int column = 0; column <= view->files; column++)
                paint_text(y + i, view->x + MARGIN + column * view->cell_width, 1, ink,
                           theme->unicode ? "│" : "|");
    }
}

static void paint_coordinates(const struct board_view *view, const struct theme *theme)
{
    attr_t ink = theme_faint(theme);
    int middle_y = view->cell_height / 2, middle_x = view->cell_width / 2;

    for (int row = 0; row < view->ranks; row++)
        paint_format(view->y + row * view->cell_height + middle_y, view->x, 2, ink, "%2d",
                     view->flip ? row + 1 : view->ranks - row);
    for (int column = 0; column < view->files; column++)
        paint_format(view->y + view->height - 1,
                     view->x + MARGIN + column * view->cell_width + middle_x, 1, ink, "%c",
                     'a' + (view->flip ? view->files - 1 - column : column));
}

/* The inside of a square on the screen. */
struct room {
    int y, x, width, height;
};

/* How to draw a square. */
struct cell {
    char piece; /* a letter, '.' or '*' */
    char left, right;
    char target; /* 0: out of reach of the chosen piece */
    enum ground ground;
    bool cursor, hinted;
};

/* Two for each piece, one for each other square that is no hole. */
static int count_board(const struct board *board)
{
    int count = 0;

    for (int square = 0; square < board->width * board->height; square++)
        count += isalpha((unsigned char)board->cell[square]) ? 2 : board->cell[square] != '*';
    return count;
}

/* Whether a legal move takes something off the board. */
static bool takes_something(const struct scene *scene, struct move move)
{
    struct position after = scene->position;
    struct board board;

    scene->game->apply(&after, move);
    scene->game->board(&after, &board);
    return count_board(&board) < count_board(&scene->board);
}

/* The ground of a square, whatever can be chosen. */
static enum ground ground_of(const struct board_paint *paint, int square)
{
    const struct board *board = &paint->scene->board;
    bool dark = (square % board->width + square / board->width) % 2 == 0;

    if (board->cell[square] == '*')
        return GROUND_HOLE;
    if (paint->scene->last[square])
        return GROUND_LAST;
    return dark && paint->guide != NULL && paint->guide->chequered ? GROUND_DARK : GROUND_LIGHT;
}

static struct cell cell_of(const struct board_paint *paint, int square)
{
    const struct selection *selection = paint->selection;
    struct cell cell = {.piece = paint->scene->board.cell[square],
                        .left = paint->marks->left[square],
                        .right = paint->marks->right[square]};
    struct move move;

    cell.hinted = cell.left == '?';
    cell.ground = ground_of(paint, square);
    if (selection == NULL)
        return cell;
    cell.cursor = selection->cursor == square;
    if (selection->from == square)
        cell.ground = GROUND_CHOSEN;
    if (select_reaches(selection, paint->scene, square, &move)) {
        cell.target = takes_something(paint->scene, move) ? 'x' : 'o';
        if (selection->piece == 0) /* where pieces are placed, it would hide dark and light */
            cell.ground = GROUND_TARGET;
    }
    return cell;
}

/* The brackets around a square: a hint, the cursor, the chosen piece, a capture, the last move.
 * They say what colours say. */
static const char *brackets_of(const struct cell *cell, bool last, bool large)
{
    if (cell->hinted && !large)
        return "??";
    if (cell->cursor)
        return "[]";
    if (cell->ground == GROUND_CHOSEN)
        return "{}";
    if (cell->target != 0 && cell->piece != '.')
        return "><";
    return last && (large || (cell->left == 0 && cell->right == 0)) ? "()" : NULL;
}

static void paint_piece(const struct board_paint *paint, const struct cell *cell,
                        const struct room *room)
{
    const struct piece_view view = {paint->theme, paint->guide, cell->piece, cell->ground};
    int y = room->y + room->height / 2, x = room->x + room->width / 2;

    if (room->height < DRAWING_HEIGHT || room->width < DRAWING_WIDTH ||
        !piece_view_draw(&view, y - DRAWING_HEIGHT / 2, x - DRAWING_WIDTH / 2))
        piece_view_paint_wide(&view, y, x - PIECE_WIDTH / 2);
}

/* Paints what is in a square without a piece. */
static void paint_empty(const struct board_paint *paint, const struct cell *cell, int y, int x,
                        bool grid)
{
    char letter[2] = {cell->target, '\0'};

    if (cell->target == 0 && (grid || cell->ground == GROUND_DARK || cell->ground == GROUND_HOLE))
        return;
    if (cell->target == 0)
        letter[0] = '.';
    paint_text(y, x, 1,
               theme_ink(paint->theme, cell->target != 0 ? OF_TEXT : OF_FAINT, cell->ground),
               letter);
}

static void paint_cell_mark(const struct board_paint *paint, int y, int x, char mark,
                            enum ink_of ink, enum ground ground)
{
    char text[2] = {mark, '\0'};
    attr_t cursor = mark == '[' || mark == ']' ? A_REVERSE : A_NORMAL;

    if (mark != 0)
        paint_text(y, x, 1, theme_ink(paint->theme, ink, ground) | cursor, text);
}

static enum ink_of ink_of_mark(const struct board_paint *paint, enum ink_of side)
{
    return paint->marks->by_side ? side : OF_TEXT;
}

/* Paints brackets and marks beside the piece. In a large square they have places of their own; else
 * brackets come first. */
static void paint_cell_marks(const struct board_paint *paint, const struct cell *cell, bool last,
                             const struct room *room)
{
    int middle = room->x + room->width / 2, row = room->y + room->height / 2;
    bool large = room->height >= DRAWING_HEIGHT;
    const char *brackets = brackets_of(cell, last, large);
    int y = large ? room->y + room->height - 1 : row, apart = room->width / 2;

    if (large || brackets == NULL) {
        paint_cell_mark(paint, y, middle - apart, cell->left, ink_of_mark(paint, OF_WHITE),
                        cell->ground);
        paint_cell_mark(paint, y, middle + apart, cell->right, ink_of_mark(paint, OF_BLACK),
                        cell->ground);
    }
    if (brackets != NULL) {
        paint_cell_mark(paint, row, middle - apart, brackets[0], OF_TEXT, cell->ground);
        paint_cell_mark(paint, row, middle + apart, brackets[1], OF_TEXT, cell->ground);
    }
}

static void paint_cell(const struct board_view *view, const struct board_paint *paint, int square,
                       int y, int x)
{
    struct room room = {y, x, view->cell_width - view->grid, view->cell_height - view->grid};
    struct cell cell = cell_of(paint, square);
    enum color color;

    /* Paint the inside of a square; dark squares and holes have a pattern. */
    bool unicode = paint->theme->unicode;
    const char *pattern = cell.ground == GROUND_DARK   ? unicode ? "░" : ":"
                          : cell.ground == GROUND_HOLE ? unicode ? "▓" : "#"
                                                       : " ";
    attr_t ink = theme_ink(paint->theme, OF_FAINT, cell.ground);
    for (int i = 0; i < room.width * room.height; i++)
        paint_text(room.y + i / room.width, room.x + i % room.width, 1, ink, pattern);
    if (scene_piece(cell.piece, &color))
        paint_piece(paint, &cell, &room);
    else
        paint_empty(paint, &cell, y + room.height / 2, x + room.width / 2, view->grid);
    paint_cell_marks(paint, &cell, paint->scene->last[square], &room);
}

void board_view_paint(const struct board_view *view, const struct board_paint *paint)
{
    if (view->grid)
        paint_grid(view, paint->theme);
    paint_coordinates(view, paint->theme);
    for (int row = 0; row < view->ranks; row++)
        for (int column = 0; column < view->files; column++)
            paint_cell(view, paint, square_at(view, column, row),
                       view->y + view->grid + row * view->cell_height,
                       view->x + MARGIN + view->grid + column * view->cell_width);
}
