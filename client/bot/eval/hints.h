/*
 * Hints for all moves of a position at once, where that is faster than to make each move and
 * compare.
 */
#ifndef LUDUS_BOT_HINTS_H
#define LUDUS_BOT_HINTS_H

#include "common/game.h"

/* Sets hints[i] to what guide.h's hint() would say of moves[i]. */
void hints_latrunculi(const struct position *position, const struct move *moves, int count,
                      int32_t *hints);

#endif
