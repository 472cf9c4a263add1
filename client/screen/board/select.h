/*
 * Choosing a move on the board: a cursor, and the piece that was chosen, on a square or in hand.
 * Knows nothing of keys and of the screen.
 */
#ifndef LUDUS_SCREEN_SELECT_H
#define LUDUS_SCREEN_SELECT_H

#include "client/model/scene.h"

struct selection {
    int cursor; /* a square */
    int from;   /* the square of the piece that is to move, or -1 */
    char piece; /* the piece in hand that is to be placed; 0: none */
};

/* Begins anew for a position: nothing is chosen but, where pieces are placed, the first that may
 * be. The cursor stays where it is, if it is on the board. */
void select_begin(struct selection *selection, const struct scene *scene);

/* Moves the cursor by files and ranks, as far as the board goes; that may be nowhere. */
void select_step(struct selection *selection, const struct scene *scene, int files, int ranks);

/* Takes the next kind of piece that may be placed. */
void select_next_piece(struct selection *selection, const struct scene *scene);

/* Whether what is chosen can go to a square, and the move in *move. */
bool select_reaches(const struct selection *selection, const struct scene *scene, int square,
                    struct move *move);

/* Chooses the square of the cursor. True when that makes a move, in *move. Else a piece is chosen,
 * or none any more; when neither, cause->text says why (else it is ""). */
bool select_choose(struct selection *selection, const struct scene *scene, struct move *move,
                   struct cause *cause);

/* Whether the only legal move is to pass. */
bool select_must_pass(const struct scene *scene, struct move *move);

#endif
