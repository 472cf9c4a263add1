/*
 * Draws a match: the board with the words around it. It reads a view and writes to the screen,
 * and decides nothing.
 */
#ifndef LUDUS_MATCH_DRAW_H
#define LUDUS_MATCH_DRAW_H

#include "client/link/match_state.h"
#include "console.h"

/* The board, who plays, the clocks at now_ms (as told to match_state_read()), the last move, points
 * and check, whose turn it is or how it ended. turned: seen from the other side than usual, which
 * is white's, and black's own for black. */
void draw_match(struct console *console, const struct match_state *view, bool turned,
                int64_t now_ms);

/* Says how a match that is over ended. */
void draw_result(struct console *console, const struct match_state *view);

#endif
