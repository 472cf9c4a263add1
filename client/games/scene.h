/*
 * A position to be shown: the board, the legal moves, the last move. It comes from a state of the
 * server or from a recorded match.
 */
#ifndef LUDUS_SCENE_H
#define LUDUS_SCENE_H

#include "common/game.h"

struct match_state;

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

/* Whether the letter is a piece, and its colour. */
bool scene_piece(char cell, enum color *color);

enum { FACTS_MAX = 480 }; /* bytes with the final NUL */

/* Adds a formatted line to the facts beside the board. */
void facts_add(char facts[FACTS_MAX], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The steps along files and ranks, then those along diagonals. */
extern const int board_steps[8][2];

/* Goes on to the next square in a direction; false at the edge of the board. */
bool board_step(const struct board *board, int *square, const int step[2]);

/* Writes the orthogonal neighbours of a square; returns how many there are. */
int board_neighbours(const struct board *board, int square, int squares[4]);

#endif
