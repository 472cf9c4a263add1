#include "symmetry.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/move.h"
#include "common/position_text.h"
#include "fuzz.h"

bool symmetry_fits(const struct symmetry *symmetry, const struct game *game)
{
    return !symmetry->swap || game != &xadrersi; /* where white begins, and with the king */
}

static int seen_square(const struct symmetry *symmetry, int width, int height, int square)
{
    int file = square % width, rank = square / width;

    if (symmetry->mirror)
        file = width - 1 - file;
    if (symmetry->flip)
        rank = height - 1 - rank;
    return symmetry->transpose ? file * height + rank : rank * width + file;
}

static struct board seen_board(const struct symmetry *symmetry, const struct board *board)
{
    bool turned = symmetry->transpose;
    struct board seen;

    board_clear(&seen, turned ? board->height : board->width,
                turned ? board->width : board->height);
    for (int square = 0; square < board->width * board->height; square++) {
        char cell = board->cell[square];
        if (symmetry->swap)
            cell = (char)(isupper((unsigned char)cell) ? tolower((unsigned char)cell)
                                                       : toupper((unsigned char)cell));
        seen.cell[seen_square(symmetry, board->width, board->height, square)] = cell;
    }
    return seen;
}

/* Transforms the rest of a position's text: the hands, the side, and in Xadrersi the last
 * square. */
static void seen_fields(const struct symmetry *symmetry, const struct game *game,
                        const struct position *position, char *fields)
{
    char *side = strchr(fields, ' ') + 1, *last = strrchr(fields, ' ') + 1;
    struct cause cause;

    if (symmetry->swap)
        *side = *side == 'w' ? 'b' : 'w';
    if (game != &xadrersi || *last == '-')
        return;
    int square = square_parse(position, last, &cause);
    REQUIRE(square >= 0, "the last square is %s", last);
    square = seen_square(symmetry, position->width, position->height, square);
    square_format(position->width, square, last); /* Xadrersi's board is a square */
}

void symmetry_position(const struct symmetry *symmetry, const struct game *game,
                       const struct position *position, struct position *seen)
{
    char text[POSITION_TEXT_MAX], variant[VARIANT_NAME_MAX], seen_text[2 * POSITION_TEXT_MAX];
    struct board board;
    struct cause cause = {""};

    game->format(position, text);
    game->variant_name(position, variant);
    game->board(position, &board);
    board = seen_board(symmetry, &board);
    size_t length = placement_format(&board, seen_text);
    char *fields = text + strcspn(text, "[ ");
    seen_fields(symmetry, game, position, fields);
    snprintf(seen_text + length, POSITION_TEXT_MAX, "%s", fields);
    REQUIRE(game->parse(game == &clobber ? NULL : variant, seen_text, seen, &cause),
            "the mirror of an accepted position, %s, is refused: %s", seen_text, cause.text);
}

struct move symmetry_move(const struct symmetry *symmetry, const struct position *position,
                          struct move move)
{
    int width = position->width, height = position->height;

    if (move.kind == MOVE_STEP)
        move.from = (uint8_t)seen_square(symmetry, width, height, move.from);
    if (move.kind != MOVE_PASS)
        move.to = (uint8_t)seen_square(symmetry, width, height, move.to);
    return move;
}
