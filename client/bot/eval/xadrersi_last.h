/* The last ply of Xadrersi, black's king, played out at once: most positions that a search of the
 * end makes lie behind it. */
#ifndef LUDUS_BOT_XADRERSI_LAST_H
#define LUDUS_BOT_XADRERSI_LAST_H

#include "common/game.h"

/* The best that black can reach with one ply to go: 1 a win, 0 a draw, -1 a loss. */
int xadrersi_last(const struct position *position);

#endif
