/*
 * How a match came to its present position, as far as it is known: an engine needs the moves to
 * see repetitions. Built from one state of the server after the other.
 */
#ifndef LUDUS_BRIDGE_HISTORY_H
#define LUDUS_BRIDGE_HISTORY_H

#include "common/game.h"

enum { HISTORY_MOVES_MAX = 256 }; /* then the history begins anew */

struct history {
    const struct game *game; /* NULL: empty */
    struct position start;   /* where it begins, after start_ply plies of the match */
    int start_ply, count;
    struct move moves[HISTORY_MOVES_MAX];
    struct position position; /* after them */
};

/* Takes the next state: the position after `ply` plies, and the move played last (NULL: none).
 * Where that does not follow from what is known by a move or by moves taken back, the history
 * begins anew with it. False when the state is the one that was there already. */
bool history_update(struct history *history, const struct game *game,
                    const struct position *position, int ply, const char *last);

#endif
