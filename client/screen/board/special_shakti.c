/* Shakti on the screen: checks and the warriors that give them, and jumps. */
#include <ctype.h>
#include <string.h>

#include "special.h"

/* The first tile in a direction, past holes; -1: none. */
static int seen_from(const struct board *board, int square, const int step[2])
{
    while (special_step(board, &square, step))
        if (board->cell[square] != '*')
            return square;
    return -1;
}

static bool sees(const struct board *board, int from, int to)
{
    for (int i = 0; i < 8; i++)
        if (seen_from(board, from, special_steps[i]) == to)
            return true;
    return false;
}

/* Marks the king of that colour, and the warriors that check it. */
static void mark_checks(const struct board *board, enum color color, struct marks *marks)
{
    const char *cell = board->cell, *king;
    size_t squares = (size_t)(board->width * board->height);
    char warrior = color == WHITE ? 'w' : 'W';

    king = memchr(cell, color == WHITE ? 'K' : 'k', squares);
    for (int square = 0; square < (int)squares && king != NULL; square++) {
        if (cell[square] != warrior || !sees(board, square, (int)(king - cell)))
            continue;
        marks->left[square] = '+';
        marks->left[king - cell] = marks->right[king - cell] = '!';
    }
}

/* Marks the empty tiles that a warrior sees: a king of the other side may not go there. */
static void mark_seen(const struct board *board, struct marks *marks)
{
    enum color color;

    for (int square = 0; square < board->width * board->height; square++) {
        if (tolower((unsigned char)board->cell[square]) != 'w')
            continue;
        scene_piece(board->cell[square], &color);
        for (int i = 0; i < 8; i++) {
            int seen = seen_from(board, square, special_steps[i]);
            if (seen >= 0 && board->cell[seen] == '.')
                (color == WHITE ? marks->left : marks->right)[seen] = '-';
        }
    }
}

static void mark(const struct scene *scene, bool overlay, struct marks *marks)
{
    marks->by_side = overlay;
    if (overlay)
        mark_seen(&scene->board, marks);
    mark_checks(&scene->board, WHITE, marks);
    mark_checks(&scene->board, BLACK, marks);
}

static void tell(const struct scene *scene, bool overlay, struct lines *lines)
{
    int tiles = 0, warriors[2] = {0, 0}, squares = scene->board.width * scene->board.height;
    bool check = scene->game->check(&scene->position);

    for (int square = 0; square < squares; square++)
        tiles += scene->board.cell[square] != '*';
    for (int square = 0; square < squares; square++)
        if (tolower((unsigned char)scene->board.cell[square]) == 'w')
            warriors[scene->board.cell[square] == 'w' ? BLACK : WHITE]++;
    special_say(lines, "%d tiles left", tiles);
    if (warriors[WHITE] + warriors[BLACK] < 4)
        special_say(lines, "Warriors: white %d, black %d", warriors[WHITE], warriors[BLACK]);
    if (check)
        special_say(lines, "! %s is in check, from +",
                    scene->position.side == WHITE ? "White" : "Black");
    special_say(lines, "x: jump; the tile goes");
    if (overlay)
        special_say(lines, "- -: white, black sees it");
}

static const char *const rules[] = {
    "Pieces stand on tiles, and see the first tile in each of the eight directions. They see "
    "across "
    "holes and past other pieces.",
    "A king moves to an empty tile that it sees. In check it may only step one square, to an empty "
    "tile or onto an enemy warrior, which is captured.",
    "A warrior moves to an empty tile that it sees, or jumps over it to the next tile seen beyond "
    "if that is empty, too. The tile jumped over goes and leaves a hole.",
    "A king that an enemy warrior sees is in check. Kings may never see each other. A player in "
    "check who cannot move loses. A player who cannot move otherwise passes; two passes are a "
    "draw, "
    "and so is the third occurrence of a position.",
    NULL};

const struct special special_shakti = {
    .game = &shakti,
    .symbols = "K♚W▲k♚w▼",
    .overlay = "seen tiles",
    .mark = mark,
    .tell = tell,
    .rules = rules,
};
