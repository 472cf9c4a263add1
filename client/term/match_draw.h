/* Draws a match in line mode: the board with the words around it. */
#ifndef LUDUS_MATCH_DRAW_H
#define LUDUS_MATCH_DRAW_H

#include "client/link/match_state.h"
#include "console.h"

/* Draws the board, the players, the clocks at now_ms, the last move, the score and check, and whose
 * turn it is or how the match ended. turned: seen from the other side than usual; usual is white's
 * side, and black's own for black. */
void draw_match(struct console *console, const struct match_state *view, bool turned,
                int64_t now_ms);

/* Says how a match that is over ended. */
void draw_result(struct console *console, const struct match_state *view);

#endif
