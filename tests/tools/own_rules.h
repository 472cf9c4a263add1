/*
 * The rules of the four games once more, written from their description alone and with nothing of
 * common/: slow, plain, and only for tests that compare with them (prove_puzzles.c). Positions and
 * moves have the texts that protocol.md describes.
 */
#ifndef LUDUS_OWN_RULES_H
#define LUDUS_OWN_RULES_H

#include <stdbool.h>

enum {
    OWN_STRIDE = 12, /* a board of up to 10x10 in a frame of one square */
    OWN_CELLS = OWN_STRIDE * OWN_STRIDE,
    OWN_MOVES_MAX = 512, /* a placement of 5 kinds on 64 squares is the most */
    OWN_TEXT_MAX = 192,
    OWN_MOVE_TEXT_MAX = 16
};

enum own_game { OWN_CLOBBER, OWN_TOUCH, OWN_ATTACK, OWN_LATRUNCULI, OWN_SHAKTI };

/* Bytes only, the unused ones zero, so that memcmp() compares positions. */
struct own_position {
    char board[OWN_CELLS]; /* a piece's letter, or one of '.', '*' (hole) and '#' (frame) */
    unsigned char game;    /* an enum own_game */
    unsigned char width, height;
    unsigned char black;     /* 1: Black is to move */
    unsigned char must_call; /* Xadrersi: the side to move owes its queen */
    unsigned char last;      /* Xadrersi: the square of the piece placed last, 0: none */
    unsigned char count;     /* Latrunculi: plies since a capture; Shakti: passes just before */
    unsigned char unused;
    unsigned char hand[2][8]; /* Xadrersi: by black, then by the place in "KQRBN" */
};

/* A placement has no origin, a pass has no squares. */
struct own_move {
    unsigned char from, to;
    char piece; /* of a placement, upper case */
};

/* How a position without legal moves has ended. */
struct own_end {
    const char *result, *reason;
};

/* Reads a position of a game, whose name may have a variant ("clobber:5x6"). Returns NULL, or what
 * is wrong with it. */
const char *own_parse(const char *name, const char *text, struct own_position *position);
void own_format(const struct own_position *position, char text[OWN_TEXT_MAX]);

/* Lists the legal moves. There are none exactly when the game is over. */
int own_legal(const struct own_position *position, struct own_move moves[OWN_MOVES_MAX]);

/* Whether the game is over: own_legal() without the list. */
bool own_over(const struct own_position *position);

/* Plays a legal move. */
void own_play(struct own_position *position, struct own_move move);

/* The end of a position that is over. */
struct own_end own_end(const struct own_position *position);

/* The pieces that are still to be placed, 0 in the other games. */
int own_in_hand(const struct own_position *position);

void own_move_format(struct own_move move, char text[OWN_MOVE_TEXT_MAX]);

#endif
