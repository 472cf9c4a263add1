/*
 * How a match came to its present position, as far as it is known: an engine needs the moves to
 * see repetitions. The bridge builds it from one state of the server after the other, the gauntlet
 * plays it.
 */
#ifndef LUDUS_ENGINE_COURSE_H
#define LUDUS_ENGINE_COURSE_H

#include "common/game.h"

enum { COURSE_MOVES_MAX = 1000 }; /* then the course begins anew */

struct course {
    const struct game *game; /* NULL: empty */
    struct position start;   /* where it begins, after start_ply plies of the match */
    int start_ply, count;
    struct move moves[COURSE_MOVES_MAX];
    struct position position; /* after them */
};

/* Makes the course one of no moves yet. */
void course_begin(struct course *course, const struct game *game, const struct position *position,
                  int ply);

/* Plays a legal move; there must be room for it. */
void course_play(struct course *course, struct move move);

/* Takes the next state: the position after `ply` plies, and the move played last (NULL: none).
 * Where that does not follow from what is known by a move or by moves taken back, the course
 * begins anew with it. False when the state is the one that was there already. */
bool course_update(struct course *course, const struct game *game, const struct position *position,
                   int ply, const char *last);

#endif
