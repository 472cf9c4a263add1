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

static void mark(const struct scene *scene, bool overlay, struct marks *marks)
{
    (void)overlay;
    mark_checks(&scene->board, WHITE, marks);
    mark_checks(&scene->board, BLACK, marks);
}

static void tell(const struct scene *scene, bool overlay, struct lines *lines)
{
    int tiles = 0, warriors[2] = {0, 0}, squares = scene->board.width * scene->board.height;
    bool check = scene->game->check(&scene->position);

    (void)overlay;
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
    .mark = mark,
    .tell = tell,
    .rules = rules,
};
