/*
 * A position to be shown: the board, the legal moves, the last move. Made from what the server
 * tells of a match, or from a recorded one. Knows nothing of the screen.
 */
#ifndef LUDUS_SCENE_H
#define LUDUS_SCENE_H

#include "client/link/match_state.h"

struct scene {
    const struct game *game;  /* NULL: not known here; then only the board below counts */
    struct position position; /* with a game */
    struct board board;
    struct move legal[MOVES_MAX]; /* of the side to move, whoever that is */
    int legal_count;
    bool last[BOARD_SQUARES_MAX]; /* the squares of the last move */
};

/* Makes the scene of a match as it stands. */
void scene_read(struct scene *scene, const struct match_state *view);

/* Makes that of a position; last is the text of the move that led there, or "". */
void scene_set(struct scene *scene, const struct game *game, const struct position *position,
               const char *last);

/* Sets squares[] to those that a move names, by their number from a1, on a board of that size. */
void scene_mark_move(const char *move, int width, int height, bool squares[BOARD_SQUARES_MAX]);

/* Whether a letter is a piece, and whose. */
bool scene_piece(char cell, enum color *color);

#endif
