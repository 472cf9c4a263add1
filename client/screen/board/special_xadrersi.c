/* Xadrersi on the screen: the attacks on each square, the pieces in hand, the score. */
#include <ctype.h>
#include <string.h>

#include "special.h"

static const int jumps[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

struct attacks {
    int count[2][BOARD_SQUARES_MAX];
};

/* Counts the squares of a ray up to the first piece, or only the first square. */
static void add_ray(const struct board *board, int square, const int step[2], bool far, int count[])
{
    while (special_step(board, &square, step)) {
        count[square]++;
        if (!far || board->cell[square] != '.')
            return;
    }
}

static void add_piece(const struct board *board, int square, int count[])
{
    char kind = (char)toupper((unsigned char)board->cell[square]);

    for (int i = 0; i < 8; i++) {
        if (kind == 'N')
            add_ray(board, square, jumps[i], false, count);
        else if (kind == 'K')
            add_ray(board, square, special_steps[i], false, count);
        else if (kind == 'Q' || (kind == 'R' && i < 4) || (kind == 'B' && i >= 4))
            add_ray(board, square, special_steps[i], true, count);
    }
}

static struct attacks attacks_of(const struct board *board)
{
    struct attacks attacks = {0};
    enum color color;

    for (int square = 0; square < board->width * board->height; square++)
        if (scene_piece(board->cell[square], &color))
            add_piece(board, square, attacks.count[color]);
    return attacks;
}

static char digit(int count)
{
    return (char)(count > 9 ? '+' : count > 0 ? '0' + count : 0);
}

static bool counts_occupied(const struct scene *scene)
{
    char variant[VARIANT_NAME_MAX];

    scene->game->variant_name(&scene->position, variant);
    return strcmp(variant, "attack") == 0;
}

static void mark(const struct scene *scene, bool overlay, struct marks *marks)
{
    struct attacks attacks = attacks_of(&scene->board);
    bool all = counts_occupied(scene);

    marks->by_side = true;
    for (int square = 0; square < 64 && overlay; square++) {
        if (!all && scene->board.cell[square] != '.')
            continue;
        marks->left[square] = digit(attacks.count[WHITE][square]);
        marks->right[square] = digit(attacks.count[BLACK][square]);
    }
}

static void tell_hands(const struct scene *scene, struct lines *lines)
{
    char text[POSITION_TEXT_MAX];

    scene->game->format(&scene->position, text);
    const char *open = strchr(text, '[');
    const char *black = open + 1;
    int close = (int)strcspn(open, "]");
    while (isupper((unsigned char)*black))
        black++;
    int whites = (int)(black - open) - 1, blacks = close - whites - 1;
    special_say(lines, "In hand: %.*s %.*s", whites > 0 ? whites : 1, whites > 0 ? open + 1 : "-",
                blacks > 0 ? blacks : 1, blacks > 0 ? black : "-");
    if (strstr(open + close, " Q ") != NULL)
        special_say(lines, "The queen is called");
}

static void tell(const struct scene *scene, bool overlay, struct lines *lines)
{
    int points[2];

    scene->game->score(&scene->position, points);
    special_say(lines, "Score: white %d, black %d", points[WHITE], points[BLACK]);
    tell_hands(scene, lines);
    if (overlay)
        special_say(lines, "1 2: white, black attackers");
}

static const char *const rules[] = {
    "By turns each side places a piece on an empty square: a king, a queen, two rooks, two bishops "
    "and two knights. Pieces never move and are never taken. White's first piece is the king, "
    "black's king is black's last. Bishops of a side stand on squares of different colours.",
    "When a queen is placed and the other side still holds its own, that is its next piece.",
    "touch: each piece stands next to another one, of either colour; black's king next to the "
    "piece that white has just placed. A side scores a point for each empty square that one of its "
    "pieces attacks, once for each such piece.",
    "attack: each piece stands where a piece of the other side attacks, and all squares count.",
    "After 16 plies the side with more points wins.",
    NULL};

const struct special special_xadrersi = {
    .game = &xadrersi,
    .symbols = "K♚Q♛R♜B♝N♞k♚q♛r♜b♝n♞",
    .overlay = "attacks",
    .chequered = true,
    .mark = mark,
    .tell = tell,
    .rules = rules,
};
