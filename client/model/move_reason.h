/* The effect of a move in a few words, by the rules alone. */
#ifndef LUDUS_MOVE_REASON_H
#define LUDUS_MOVE_REASON_H

#include "common/game.h"

enum { MOVE_REASON_MAX = 80 }; /* bytes with the final NUL */

/* Writes the end of "This move ...", for a legal move: "wins the game", "captures a soldier". */
void move_reason(const struct game *game, const struct position *position, struct move move,
                 char text[MOVE_REASON_MAX]);

#endif
