/*
 * How a position of Xadrersi is laid out: for its rules, and for evaluations that look at the sets.
 *
 * White's pieces are in bits[0], black's in bits[1], and each kind, of either colour, in
 * bits[KIND_WORD + kind]. notes[LAST_NOTE] is the square of the last piece placed.
 */
#ifndef LUDUS_XADRERSI_BOARD_H
#define LUDUS_XADRERSI_BOARD_H

enum { TOUCH, ATTACK }; /* variants */
enum { KING, QUEEN, ROOK, BISHOP, KNIGHT, KINDS };
enum { KIND_WORD = 2, LAST_NOTE = 0, SIDE_PIECES = 8 };

static const int kind_pieces[KINDS] = {1, 1, 2, 2, 2}; /* of each side */

#endif
