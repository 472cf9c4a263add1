/*
 * Lessons: small boards on which a player does one thing that the rules are about, a sentence each.
 * The rules pages draw some of them before and after the move.
 */
#ifndef LUDUS_LESSON_H
#define LUDUS_LESSON_H

#include "common/game.h"

/* Sets the position of a lesson, which is valid. */
void lesson_begin(const struct game *game, int index, struct position *position);

/* Whether the move does what the lesson asks for. */
bool lesson_is_done_by(const struct lesson *lesson, const char *move);

/* The first of the moves that do it. */
void lesson_answer(const struct lesson *lesson, char move[MOVE_TEXT_MAX]);

enum {
    PICTURE_MARK = '\001', /* begins each row of squares */
    PICTURE_MAX = 1024     /* bytes with the final NUL */
};

/* Draws the frame of a lesson before and after its answer, side by side, in rows of at most 38
 * columns. In a row that begins with PICTURE_MARK all letters are pieces. */
void lesson_picture(const struct game *game, int index, char text[PICTURE_MAX]);

#endif
