/*
 * What bots want to know of a game beyond its rules: one row a game, in guide.c. A game without a
 * row is searched by its rules alone.
 */
#ifndef LUDUS_BOT_GUIDE_H
#define LUDUS_BOT_GUIDE_H

#include "common/game.h"

struct move_list;
struct question;
struct tt;

struct guide {
    const struct game *game;
    int (*eval)(const struct position *position); /* evaluate() */
    /* The static evaluation, in the units of eval.h. It must be fast, and may assume that nothing
     * is about to be captured and that the game is not over. */
    int (*value)(const struct position *position);
    /* How early to try the move from one position to the other, -30000 to 30000; above 0: before
     * the moves that the search itself likes. */
    int (*hint)(const struct position *before, const struct position *after);
    /* Instead of hint(), where faster: sets hints[i] for each move. */
    void (*hints)(const struct position *position, const struct move *moves, int count,
                  int32_t *hints);
    int hint_depth_plies; /* the least depth at which hints are worth their time */
    int loud_plies;       /* quiescence search: follow moves with a hint above 0 so far */
    int reduce_after;     /* late move reductions: search so many moves to full depth; 0: all */
    int reduce;           /* by how much to reduce the others, in hundredths */
    int late_moves;       /* late move pruning: within three plies of the leaves, search so many
                           * quiet moves times the square of the depth; 0: all */
    /* Futility pruning: how far value() may be off, for each ply of depth, in the units of eval.h,
     * within margin_plies of the leaves; 0: no pruning. */
    int margin;
    int margin_plies;
    /* The plies left in the game, where that is certain; else NULL. A search that reaches the end
     * prunes nothing, and goes no deeper. */
    int (*plies_left)(const struct position *position);
    /* An estimate of the moves the side to move has still to make, for its clock; NULL: 20. */
    int (*moves)(const struct position *position);
    /* With one ply left by plies_left(): the best result for the side to move, 1 a win, 0 a draw,
     * -1 a loss. NULL: search it. */
    int (*last)(const struct position *position);
    /* Finds a move that is known to win. Returns false if none is known. NULL: no book. */
    bool (*book)(const struct position *position, struct move *move);
    /* Proves what it can about the root's moves, and guesses: see clobber_end.h. NULL: neither. */
    bool (*prove)(const struct question *question, struct tt *tt, uint64_t nodes_max, bool guesses,
                  struct move_list *list, uint64_t *nodes);
};

/* The row of the game, or NULL. */
const struct guide *guide_of(const struct game *game);

/* How good the position is for the side to move, by its eval_GAME(): see eval.h. 0 without a row.
 */
int evaluate(const struct game *game, const struct position *position);

/* An estimate of the moves that the side to move has still to make. */
int guide_moves(const struct game *game, const struct position *position);

/* A fast hash, equal for equal positions. Unlike game->key(), it differs between games, and near a
 * draw by a count of plies. */
uint64_t guide_key(const struct game *game, const struct position *position);

#endif
