/* What a position is worth without a search: one file a game, eval_GAME.c. */
#ifndef LUDUS_BOT_EVAL_H
#define LUDUS_BOT_EVAL_H

#include "common/game.h"

/* A game won. All values stay well below. */
enum { SCORE_WIN = 30000 };

/* How good the position is for the side to move, in hundredths of a point, soldier or warrior; for
 * Clobber in the units of static_eval_clobber(). 0 is even. May look a move ahead. The game is not
 * over.
 */
int eval_clobber(const struct position *position);
int eval_xadrersi(const struct position *position);
int eval_latrunculi(const struct position *position);
int eval_shakti(const struct position *position);

/* The static evaluations that searches use at their leaves: fast, without a look ahead, and in
 * hundredths of the natural logarithm of the odds of winning. */
int static_eval_clobber(const struct position *position);
int static_eval_xadrersi(const struct position *position);
int static_eval_latrunculi(const struct position *position);
int static_eval_shakti(const struct position *position);

/* The best result for black with one ply of Xadrersi to go: 1 a win, 0 a draw, -1 a loss. */
int xadrersi_last(const struct position *position);

/* Sets hints[i] to the captures of moves[i], as hint() in guide.h would. Most moves need not be
 * made to see that they capture nothing. */
void hints_latrunculi(const struct position *position, const struct move *moves, int moves_count,
                      int32_t *hints);

#endif
