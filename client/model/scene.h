/*
 * A position to be shown: the board, the legal moves, the last move. It comes from a state of the
 * server or from a recorded match.
 */
#ifndef LUDUS_SCENE_H
#define LUDUS_SCENE_H

#include "client/link/match_state.h"

struct scene {
    const struct game *game;  /* NULL: unknown; then only the board below is valid */
    struct position position; /* valid with a game */
    struct board board;
    struct move legal[MOVES_MAX]; /* of the side to move, whoever holds it */
    int legal_count;
    bool last[BOARD_SQUARES_MAX]; /* the squares of the last move */
};

/* Makes the scene of a match as it stands. */
void scene_read(struct scene *scene, const struct match_state *view);

/* Makes the scene of a position; last is the move that led to it, or "". */
void scene_set(struct scene *scene, const struct game *game, const struct position *position,
               const char *last);

/* Sets squares[] for each square that the move names, on a board of that size; a1 is 0. */
void scene_mark_move(const char *move, int width, int height, bool squares[BOARD_SQUARES_MAX]);

/* Whether the letter is a piece, and its colour. */
bool scene_piece(char cell, enum color *color);

#endif
