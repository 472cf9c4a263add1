/*
 * What a position is worth without looking further. One function a game, in eval_GAME.c, and one
 * row in eval.c.
 */
#ifndef LUDUS_BOT_EVAL_H
#define LUDUS_BOT_EVAL_H

#include "common/game.h"

/* A game won; what evaluate() returns stays well below. */
enum { SCORE_WIN = 30000 };

/* How good the position is for the side to move, in hundredths of a point, soldier or warrior, for
 * Clobber as still_clobber() has it; 0 is even. The game must not be over. */
int evaluate(const struct game *game, const struct position *position);

int eval_clobber(const struct position *position);
int eval_xadrersi(const struct position *position);
int eval_latrunculi(const struct position *position);
int eval_shakti(const struct position *position);

/* The same for the leaves of a search, in guide.h's way: fast, without a look ahead, and in
 * hundredths of the natural logarithm of the odds of winning. */
int still_clobber(const struct position *position);
int still_xadrersi(const struct position *position);
int still_latrunculi(const struct position *position);
int still_shakti(const struct position *position);

#endif
