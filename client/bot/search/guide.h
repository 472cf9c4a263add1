/*
 * What a search wants to know of a game beyond its rules. One row a game, in guide.c; a game
 * without one is searched by the rules and evaluate() alone.
 */
#ifndef LUDUS_BOT_GUIDE_H
#define LUDUS_BOT_GUIDE_H

#include "common/game.h"

struct memory;
struct move_list;
struct question;

struct guide {
    const struct game *game;
    /* What the position is worth, in the units of eval.h: fast, as it is asked for at every leaf,
     * and meant for positions where nothing is about to be taken. The game is not over. */
    int (*value)(const struct position *position);
    /* How soon the move that led from one position to the other is to be tried, -30000 to 30000;
     * above 0: before all that others have taught. */
    int (*hint)(const struct position *before, const struct position *after);
    /* Instead of hint(), where that is faster: sets hints[i] for each of the moves. */
    void (*hints)(const struct position *position, const struct move *moves, int count,
                  int32_t *hints);
    int hint_depth_plies; /* from which depth on the hints are worth their time */
    int loud_plies;       /* so far beyond its depth moves with a hint above 0 are followed up */
    int reduce_after;     /* so many moves are searched to the full depth; 0: all */
    int reduce;           /* by how much the others are reduced, in hundredths */
    int late_moves;       /* so many quiet moves, times the square of the depth, are looked at where
                           * three plies are left or fewer; 0: all */
    /* How far, for each ply of depth, value() may be off before a search of the last plies before
     * its depth could tell otherwise, in the units of eval.h; 0: never to be relied on. */
    int margin;
    int margin_plies; /* so many plies before its depth the search relies on it */
    /* How many plies are left to the end of the game, where that is certain; else NULL. A search
     * that reaches the end leaves nothing out, and goes no deeper. */
    int (*plies_left)(const struct position *position);
    /* About how many moves the side to move has still to make, for its clock; NULL: 20. */
    int (*moves)(const struct position *position);
    /* With plies_left() of 1: the best result there is for the side to move, 1 a win, 0 a draw, -1
     * a loss; or NULL. Needs plies_left(). */
    int (*last)(const struct position *position);
    /* Proves what it can about the moves at the root; NULL: nothing. See clobber_end.h. */
    bool (*prove)(const struct question *question, struct memory *memory, uint64_t nodes_max,
                  struct move_list *list, uint64_t *nodes);
};

/* The row of the game, or NULL. */
const struct guide *guide_of(const struct game *game);

/* About how many moves the side to move has still to make. */
int guide_moves(const struct game *game, const struct position *position);

/* Equal for equal positions, and fast. Other than game->key(), it tells positions of different
 * games apart, and those close to a draw by a count of plies. */
uint64_t guide_key(const struct game *game, const struct position *position);

#endif
