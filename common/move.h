/*
 * Moves as text, in every game: "b2b3" from-to, "Q@d4" a placement, "pass". Read in either case;
 * written in lower case, but for the piece.
 */
#ifndef LUDUS_MOVE_H
#define LUDUS_MOVE_H

#include <string.h>

#include "game.h"

enum { SQUARE_TEXT_MAX = 4 }; /* bytes with the final NUL: "a10" */

/* Writes a square of a board `width` files wide. */
void square_format(int width, int square, char text[SQUARE_TEXT_MAX]);

/* Reads a text that is one square. Returns its number, or -1 with the cause if it is not a square
 * or off the board. */
int square_parse(const struct position *position, const char *text, struct cause *cause);

void move_format(const struct position *position, struct move move, char text[MOVE_TEXT_MAX]);

/* Sets squares[] for each square that the text of a move names, on a board of that size; a1 is 0.
 */
void move_mark_squares(const char *text, int width, int height, bool squares[BOARD_SQUARES_MAX]);

/* Writes the legal moves to `moves` and returns their number. With from >= 0, takes only those that
 * start from that square or place a piece on it. */
int moves_from(const struct game *game, const struct position *position, int from,
               struct move moves[MOVES_MAX]);

static inline bool move_equal(struct move a, struct move b)
{
    return memcmp(&a, &b, sizeof a) == 0; /* one instruction */
}

/* Reads a legal move. Returns false with the cause, *move unchanged, if the text is not a move or
 * the rules forbid it; the cause then names the rule. */
bool move_parse(const struct game *game, const struct position *position, const char *text,
                struct move *move, struct cause *cause);

/* Names the rule because of which no legal move starts from the square, or places a piece on it. */
void move_explain_square(const struct game *game, const struct position *position, int square,
                         struct cause *cause);

#endif
