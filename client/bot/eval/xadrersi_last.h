/* The last ply of Xadrersi, black's king, settled without making moves: most positions of an
 * endgame search lie behind it. */
#ifndef LUDUS_BOT_XADRERSI_LAST_H
#define LUDUS_BOT_XADRERSI_LAST_H

#include "common/game.h"

/* The best result for black with one ply to go: 1 a win, 0 a draw, -1 a loss. */
int xadrersi_last(const struct position *position);

#endif
