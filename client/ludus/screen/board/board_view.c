#include "board_view.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "client/ludus/term/wrap.h"

static attr_t ink_of_piece(const struct piece_view *view)
{
    enum color color = WHITE;

    scene_piece(view->piece, &color);
    return theme_ink(view->theme, color == WHITE ? OF_WHITE : OF_BLACK, view->ground);
}

/* The symbol of white's piece where the one of black's is the same, and no colours tell them apart.
 * NULL for any other. */
static const char *hollow_symbol(const struct guide *guide, const struct look *look)
{
    static const char *const pairs[][2] = {{"♚", "♔"}, {"♛", "♕"}, {"♜", "♖"},
                                           {"♝", "♗"}, {"♞", "♘"}, {"◆", "◇"}};
    const struct look *black = guide_look(guide, (char)tolower((unsigned char)look->piece));

    if (black == NULL || black == look || strcmp(black->symbol, look->symbol) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(look->symbol, pairs[i][0]) == 0)
            return pairs[i][1];
    return NULL;
}

void piece_view_paint(const struct piece_view *view, int y, int x)
{
    const struct look *look = view->theme->symbols ? guide_look(view->guide, view->piece) : NULL;
    const char letter[] = {view->piece, '\0'}, *symbol = look != NULL ? look->symbol : letter;
    const char *hollow =
        look != NULL && theme_is_plain(view->theme) ? hollow_symbol(view->guide, look) : NULL;

    paint_text(y, x, 1, ink_of_piece(view), hollow != NULL ? hollow : symbol);
}

void board_view_add_legend(const struct theme *theme, const struct guide *guide,
                           const struct board *board, struct lines *lines)
{
    const struct look *look = guide != NULL && theme->symbols ? guide->looks : NULL;
    const char *hollow = NULL;
    char line[80];

    if (!theme_is_plain(theme))
        return;
    while (look != NULL && look->piece != 0 && (hollow = hollow_symbol(guide, look)) == NULL)
        look++;
    if (hollow != NULL) {
        snprintf(line, sizeof line, _("%s White's %s, %s Black's"), hollow, _(look->name),
                 look->symbol);
        lines_add(lines, line);
    }
    if (memchr(board->cell, '*', (size_t)(board->width * board->height)) != NULL)
        lines_add(lines, theme->unicode ? _(". tile, ▓ hole") : _(". tile, # hole"));
}

enum { DRAWING_TEXT_MAX = DRAWING_WIDTH * MB_LEN_MAX + 1 };

/* Paints a row of a drawing twice as large: each quarter of a cell becomes a cell. */
static void paint_doubled(int y, int x, attr_t ink, const char *text)
{
    static const wchar_t blocks[] = L" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"; /* by the bits of their quarters */
    wchar_t letter;
    int width;

    for (const char *next; *text != '\0'; text = next, x += 2) {
        char self[MB_LEN_MAX + 1];
        next = wrap_letter(text, strlen(text), &letter, &width);
        snprintf(self, sizeof self, "%.*s", (int)(next - text), text);
        const wchar_t *block = wcschr(blocks, letter);
        for (int quarter = 0; quarter < 4; quarter++)
            paint_text(y + quarter / 2, x + quarter % 2, 1, ink,
                       block == NULL                            ? self
                       : ((block - blocks) >> quarter & 1) != 0 ? "█"
                                                                : " ");
    }
}

/* The inside of a square on the screen. */
struct room {
    int y, x, width, height;
};

/* Copies a row of a drawing. Colours tell black from white: then black is solid, too, not shaded.
 */
static void copy_row(const struct theme *theme, const char *row, char text[DRAWING_TEXT_MAX])
{
    snprintf(text, DRAWING_TEXT_MAX, "%s", row);
    for (char *shade; !theme_is_plain(theme) && (shade = strstr(text, "▓")) != NULL;)
        memcpy(shade, "█", strlen("█"));
}

/* Paints the drawing of a piece into the middle of a square, as large as it fits. False when it has
 * none, or no room. */
static bool piece_view_draw(const struct piece_view *view, const struct room *room)
{
    const struct look *look = guide_look(view->guide, view->piece);
    int scale = room->width > 2 * DRAWING_WIDTH && room->height >= 2 * DRAWING_HEIGHT ? 2 : 1;
    int y = room->y + (room->height - scale * DRAWING_HEIGHT) / 2;
    int x = room->x + (room->width - scale * DRAWING_WIDTH) / 2;

    if (look == NULL || room->height < DRAWING_HEIGHT || room->width < DRAWING_WIDTH)
        return false;
    for (int i = 0; i < DRAWING_HEIGHT; i++) {
        char row[DRAWING_TEXT_MAX];
        copy_row(view->theme, view->theme->symbols ? look->blocks[i] : look->letters[i], row);
        if (scale == 2)
            paint_doubled(y + 2 * i, x, ink_of_piece(view), row);
        else
            paint_text(y + i, x, DRAWING_WIDTH, ink_of_piece(view), row);
    }
    return true;
}

enum { MARGIN = 3 }; /* for the numbers of ranks */

/* From large to small. Widths are odd where pieces and their drawings are. */
static const struct {
    int width, height;
} sizes[] = {{14, 7}, {12, 6}, {9, 4}, {7, 3}, {5, 2}, {3, 1}};

enum { SIZES = sizeof sizes / sizeof sizes[0] };

void board_view_fit(struct board_view *view, const struct theme *theme, const struct board *board,
                    int rows, int columns)
{
    int size = 0;

    while (size < SIZES - 1 && (MARGIN + board->width * sizes[size].width > columns ||
                                board->height * sizes[size].height + 1 > rows))
        size++;
    view->largest = size;
    while (size < SIZES - 1 && theme->board_rows != 0 && sizes[size].height > theme->board_rows)
        size++;
    view->size = size;
    view->files = board->width;
    view->ranks = board->height;
    view->cell_width = sizes[size].width;
    view->cell_height = sizes[size].height;
    view->width = MARGIN + board->width * view->cell_width;
    view->height = board->height * view->cell_height + 1;
}

bool board_view_take(const struct board_view *view, struct stage *stage, enum action action)
{
    int size = view->size + (action == ACTION_LARGER ? -1 : 1);

    if (action != ACTION_SIZE && action != ACTION_LARGER && action != ACTION_SMALLER)
        return false;
    if (size == SIZES) /* F9 goes around */
        size = action == ACTION_SIZE ? view->largest : SIZES - 1;
    if (size < view->largest)
        size = view->largest;
    stage->theme.board_rows = size == view->largest ? 0 : sizes[size].height;
    stage->client->settings.board_rows = stage->theme.board_rows;
    client_keep_settings(stage->client);
    stage_notice(stage, "Board: size %d of %d", SIZES - size, SIZES - view->largest);
    return true;
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
    int column = x - view->x - MARGIN, row = y - view->y;

    if (view->cell_width == 0 || column < 0 || row < 0 ||
        column / view->cell_width >= view->files || row / view->cell_height >= view->ranks)
        return -1;
    return square_at(view, column / view->cell_width, row / view->cell_height);
}

static void paint_coordinates(const struct board_view *view, const struct theme *theme)
{
    attr_t ink = theme_faint(theme);
    int middle_y = (view->cell_height - 1) / 2, middle_x = (view->cell_width - 1) / 2;

    for (int row = 0; row < view->ranks; row++)
        paint_format(view->y + row * view->cell_height + middle_y, view->x, 2, ink, "%2d",
                     view->flip ? row + 1 : view->ranks - row);
    for (int column = 0; column < view->files; column++)
        paint_format(view->y + view->height - 1,
                     view->x + MARGIN + column * view->cell_width + middle_x, 1, ink, "%c",
                     'a' + (view->flip ? view->files - 1 - column : column));
}

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

/* The ground of a square, whatever can be chosen. Where the rules know no dark squares, they only
 * show where one ends. */
static enum ground ground_of(const struct board_paint *paint, int square)
{
    const struct board *board = &paint->scene->board;
    bool dark = (square % board->width + square / board->width) % 2 == 0;

    if (board->cell[square] == '*')
        return GROUND_HOLE;
    if (paint->scene->last[square])
        return GROUND_LAST;
    return dark ? GROUND_DARK : GROUND_LIGHT;
}

/* Whether there is a choice of squares to mark: a piece in hand that can go to any empty square has
 * none. */
static bool has_choice(const struct board_paint *paint)
{
    const struct board *board = &paint->scene->board;
    struct move move;

    if (paint->selection == NULL || paint->selection->piece == 0)
        return paint->selection != NULL;
    for (int square = 0; square < board->width * board->height; square++)
        if (board->cell[square] == '.' &&
            !select_reaches(paint->selection, paint->scene, square, &move))
            return true;
    return false;
}

/* marked: squares in reach are marked. */
static struct cell cell_of(const struct board_paint *paint, int square, bool marked)
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
    if (marked && select_reaches(selection, paint->scene, square, &move)) {
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

/* Holes, and dark squares that the rules know, have a pattern. */
static const char *pattern_of(const struct board_paint *paint, const struct cell *cell)
{
    bool unicode = paint->theme->unicode;

    if (cell->ground == GROUND_HOLE)
        return unicode ? "▓" : "#";
    if (cell->ground == GROUND_DARK && paint->guide != NULL && paint->guide->chequered)
        return unicode ? "░" : ":";
    return " ";
}

/* Where the middle of a square is; symbols in it, and brackets beside them. */
static int middle_y(const struct room *room)
{
    return room->y + (room->height - 1) / 2;
}

static int middle_x(const struct room *room)
{
    return room->x + (room->width - 1) / 2;
}

/* A piece is drawn, or its symbol stands on a base of its colour. */
static void paint_piece(const struct board_paint *paint, const struct cell *cell,
                        const struct room *room)
{
    const struct piece_view view = {paint->theme, paint->guide, cell->piece, cell->ground};
    enum color color = WHITE;

    scene_piece(cell->piece, &color);
    if (piece_view_draw(&view, room))
        return;
    piece_view_paint(&view, middle_y(room), middle_x(room));
    if (room->height > 1)
        paint_text(middle_y(room) + 1, middle_x(room) - 1, 3, ink_of_piece(&view),
                   paint->theme->unicode ? "▀▀▀"
                   : color == WHITE      ? "ooo"
                                         : "%%%");
}

/* Paints what is in a square without a piece: without colours a dot shows where it is. */
static void paint_empty(const struct board_paint *paint, const struct cell *cell,
                        const struct room *room)
{
    char letter[2] = {cell->target != 0 ? cell->target : '.', '\0'};

    if (cell->target == 0 && (!theme_is_plain(paint->theme) || pattern_of(paint, cell)[0] != ' '))
        return;
    paint_text(middle_y(room), middle_x(room), 1,
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
    int left = room->x, right = room->x + room->width - 1;
    int row = middle_y(room), y = room->height > 4 ? room->y + room->height - 1 : row + 1;
    bool large = room->height > 1;
    const char *brackets = brackets_of(cell, last, large);

    if (large || brackets == NULL) {
        paint_cell_mark(paint, y, left, cell->left, ink_of_mark(paint, OF_WHITE), cell->ground);
        paint_cell_mark(paint, y, right, cell->right, ink_of_mark(paint, OF_BLACK), cell->ground);
    }
    if (brackets != NULL) {
        paint_cell_mark(paint, row, left, brackets[0], OF_TEXT, cell->ground);
        paint_cell_mark(paint, row, right, brackets[1], OF_TEXT, cell->ground);
    }
}

static void paint_cell(const struct board_paint *paint, int square, bool marked,
                       const struct room *room)
{
    struct cell cell = cell_of(paint, square, marked);
    enum color color;

    attr_t ink = theme_ink(paint->theme, OF_FAINT, cell.ground);
    for (int i = 0; i < room->width * room->height; i++)
        paint_text(room->y + i / room->width, room->x + i % room->width, 1, ink,
                   pattern_of(paint, &cell));
    if (scene_piece(cell.piece, &color))
        paint_piece(paint, &cell, room);
    else
        paint_empty(paint, &cell, room);
    paint_cell_marks(paint, &cell, paint->scene->last[square], room);
}

void board_view_paint(const struct board_view *view, const struct board_paint *paint)
{
    bool marked = has_choice(paint);

    paint_coordinates(view, paint->theme);
    for (int row = 0; row < view->ranks; row++)
        for (int column = 0; column < view->files; column++)
            paint_cell(paint, square_at(view, column, row), marked,
                       &(struct room){view->y + row * view->cell_height,
                                      view->x + MARGIN + column * view->cell_width,
                                      view->cell_width, view->cell_height});
}
