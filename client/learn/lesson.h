/*
 * Lessons: small boards on which a player does one thing that the rules are about, a sentence each.
 * The rules pages draw some of them before and after the move.
 */
#ifndef LUDUS_LESSON_H
#define LUDUS_LESSON_H

#include "common/game.h"

struct lesson {
    const char *title;
    const char *task;    /* what the rule is, and what to do now */
    const char *variant; /* NULL: the default */
    const char *position;
    /* clang-format off
     * The effect that counts as done, and all moves that have it, separated by spaces;
     * tests/test_lessons.c holds one against the other:
     *     takes SQUARE...     takes enemy pieces, or removes tiles, on exactly these squares
     *     ends RESULT REASON  ends the game so
     *     moves SQUARE        any legal move of the piece there
     *     to SQUARE           any legal move to there
     *     places PIECE        any legal placement of that piece
     *     checks              gives check
     *     wins                wins against any reply, to the end of the game
     *     gains               no other move leaves the player so many points ahead
     * clang-format on */
    const char *effect;
    const char *moves;
    const char *done; /* what has happened */
    /* The rules page draws the board between these two corners, as "a3f6", of at most seven files,
     * before and after the first of the moves. NULL: it leaves the lesson out. */
    const char *frame;
};

/* The lessons of a game, from easy to hard. */
struct tutorial {
    const struct game *game;
    const struct lesson *lessons;
    int count;
};

extern const struct tutorial tutorial_clobber, tutorial_xadrersi, tutorial_latrunculi,
    tutorial_shakti;

/* The tutorial of a game, or NULL; the game may be NULL. */
const struct tutorial *tutorial_find(const struct game *game);

/* Sets the position of a lesson, which is valid. */
void lesson_begin(const struct tutorial *tutorial, int index, struct position *position);

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
void lesson_picture(const struct tutorial *tutorial, int index, char text[PICTURE_MAX]);

#endif
