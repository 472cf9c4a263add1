/*
 * The course of a match up to its current position, as far as it is known: an engine needs the
 * moves to see repetitions. The bridge follows the states that the server sends; the gauntlet plays
 * moves.
 */
#ifndef LUDUS_ENGINE_COURSE_H
#define LUDUS_ENGINE_COURSE_H

#include "common/game.h"

enum { COURSE_MOVES_MAX = 1000 }; /* then the course starts anew */

struct course {
    const struct game *game; /* NULL: empty */
    struct position start;   /* after start_ply plies of the match */
    int start_ply, count;
    struct move moves[COURSE_MOVES_MAX];
    struct position position; /* after them */
};

/* Starts a course without moves. */
void course_begin(struct course *course, const struct game *game, const struct position *position,
                  int ply);

/* Plays a legal move, for which there must be room. */
void course_play(struct course *course, struct move move);

/* Follows the match to the position after `ply` plies, by the last move played (NULL: none) or by
 * taking moves back. If neither leads there, the course starts anew. Returns false if nothing has
 * changed. */
bool course_update(struct course *course, const struct game *game, const struct position *position,
                   int ply, const char *last);

#endif
