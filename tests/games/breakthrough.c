/*
 * Breakthrough (Dan Troyka, 2000), a fifth game for the test of how a game is added: all of it is
 * in this file, and a guide for clients it has none.
 *
 * A position has one bit for each square, white's pieces in bits[0], black's in bits[1]. The piece
 * that is furthest ahead always has a move, so only the end of the game leaves a player without
 * one: hence the one reason, no-moves.
 */
#include "common/game.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/move.h"
#include "common/position_text.h"
#include "common/zobrist.h"

enum { SIZE = 8, SQUARES = SIZE * SIZE, PIECES_MAX = 2 * SIZE };

#define RANK_1 UINT64_C(0xff)
#define RANK_8 UINT64_C(0xff00000000000000)
#define START  "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w"

static uint64_t bit(int square)
{
    return UINT64_C(1) << square;
}

static bool is_over(const struct position *p)
{
    return (p->bits[!p->side] & (p->side == WHITE ? RANK_1 : RANK_8)) != 0 || p->bits[p->side] == 0;
}

static bool breakthrough_parse(const char *variant, const char *text, struct position *position,
                               struct cause *cause)
{
    struct position read = {.width = SIZE, .height = SIZE};
    struct field fields[2];
    struct board board;

    if (variant != NULL && strcasecmp(variant, "standard") != 0)
        return cause_set(cause, "unknown variant '%.40s' of Breakthrough: there is standard",
                         variant);
    if (!fields_split(text, fields, 2, "placement, side", cause) ||
        !placement_parse(fields[0], "Pp", SIZE, SIZE, &board, cause) ||
        !field_side(fields[1], &read.side, cause))
        return false;
    for (int square = 0; square < SQUARES; square++)
        if (board.cell[square] != '.')
            read.bits[board.cell[square] == 'P' ? WHITE : BLACK] |= bit(square);
    for (int color = WHITE; color <= BLACK; color++)
        if (__builtin_popcountll(read.bits[color]) > PIECES_MAX)
            return cause_set(cause, "%s has more than 16 pieces", color_name((enum color)color));
    if (read.bits[!read.side] == 0 ||
        (read.bits[read.side] & (read.side == WHITE ? RANK_8 : RANK_1)) != 0)
        return cause_set(cause, "%s has won already, and cannot be to move",
                         color_name((enum color)read.side));
    *position = read;
    return true;
}

static bool breakthrough_start(const char *variant, struct position *position, struct cause *cause)
{
    return breakthrough_parse(variant, START, position, cause);
}

static void breakthrough_board(const struct position *position, struct board *board)
{
    board_clear(board, SIZE, SIZE);
    for (int square = 0; square < SQUARES; square++)
        if ((position->bits[WHITE] | position->bits[BLACK]) & bit(square))
            board->cell[square] = position->bits[WHITE] & bit(square) ? 'P' : 'p';
}

static void breakthrough_format(const struct position *position, char text[POSITION_TEXT_MAX])
{
    struct board board;

    breakthrough_board(position, &board);
    size_t length = placement_format(&board, text);
    memcpy(text + length, position->side == WHITE ? " w" : " b", 3);
}

static void breakthrough_variant_name(const struct position *position, char name[VARIANT_NAME_MAX])
{
    (void)position;
    memcpy(name, "standard", sizeof "standard");
}

static int breakthrough_legal(const struct position *position, struct move moves[MOVES_MAX])
{
    uint64_t own = position->bits[position->side], enemy = position->bits[!position->side];
    int ahead = position->side == WHITE ? SIZE : -SIZE, count = 0;

    if (is_over(position))
        return 0;
    for (uint64_t left = own; left != 0; left &= left - 1) {
        int from = __builtin_ctzll(left);
        for (int aside = -1; aside <= 1; aside++) {
            int to = from + ahead + aside, file = from % SIZE + aside;
            if (file < 0 || file >= SIZE || (own | (aside == 0 ? enemy : 0)) & bit(to))
                continue;
            if (moves != NULL)
                moves[count] = (struct move){.from = (uint8_t)from, .to = (uint8_t)to};
            count++;
        }
    }
    return count;
}

static void breakthrough_apply(struct position *position, struct move move)
{
    position->bits[position->side] ^= bit(move.from) | bit(move.to);
    position->bits[!position->side] &= ~bit(move.to);
    position->side = !position->side;
}

static struct outcome breakthrough_outcome(const struct position *position)
{
    if (!is_over(position))
        return (struct outcome){RESULT_NONE, REASON_NONE};
    return (struct outcome){result_win(!position->side), REASON_NO_MOVES};
}

static uint64_t breakthrough_key(const struct position *position)
{
    uint64_t key = zobrist(2, position->side);

    for (unsigned color = WHITE; color <= BLACK; color++)
        for (uint64_t left = position->bits[color]; left != 0; left &= left - 1)
            key ^= zobrist(color, (unsigned)__builtin_ctzll(left));
    return key;
}

static void breakthrough_explain(const struct position *position, struct move move,
                                 struct cause *cause)
{
    char from[SQUARE_TEXT_MAX], to[SQUARE_TEXT_MAX];
    int side = position->side, aside = abs(move.from % SIZE - move.to % SIZE);
    int ahead = (move.to / SIZE - move.from / SIZE) * (side == WHITE ? 1 : -1);

    square_format(SIZE, move.from, from);
    square_format(SIZE, move.to, to);
    if (move.kind == MOVE_PASS)
        cause_set(cause, "passing is not allowed in Breakthrough");
    else if (position->bits[!side] & bit(move.from))
        cause_set(cause, "the piece on %s is not yours: %s moves", from,
                  color_name((enum color)side));
    else if (!(position->bits[side] & bit(move.from)))
        cause_set(cause, "%s is empty", from);
    else if (ahead != 1 || aside > 1)
        cause_set(cause, "a piece moves one square ahead, straight or diagonally, not to %s", to);
    else if (position->bits[side] & bit(move.to))
        cause_set(cause, "your own piece stands on %s", to);
    else
        cause_set(cause, "a piece captures diagonally only, and %s is straight ahead", to);
}

static const char *const variants[] = {"standard", NULL};

static const char *const rules[] = {
    "A piece moves one square ahead, straight or diagonally, onto an empty square, or captures an "
    "enemy piece diagonally ahead of it.",
    "The first to reach the last rank wins, and so does who captures all enemy pieces. The other "
    "player then has no move.",
    NULL};

extern const struct game breakthrough;
const struct game breakthrough = {
    .name = "breakthrough",
    .title = "Breakthrough",
    .summary = "Bring one of your pieces to the last rank.",
    .variants_text = "standard only",
    .rules = rules,
    .variants = variants,
    .pieces = "",
    .repetition_draws = false,
    .start = breakthrough_start,
    .parse = breakthrough_parse,
    .format = breakthrough_format,
    .variant_name = breakthrough_variant_name,
    .board = breakthrough_board,
    .legal = breakthrough_legal,
    .apply = breakthrough_apply,
    .outcome = breakthrough_outcome,
    .key = breakthrough_key,
    .explain = breakthrough_explain,
};
