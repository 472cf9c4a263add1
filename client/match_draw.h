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

enum { RESULT_LINE_MAX = 200 }; /* bytes with the final NUL */
/* Writes how a match that is over ended: the result, the reason and a sentence. */
void result_line(const struct match_state *view, char line[RESULT_LINE_MAX]);
/* The same on the screen. */
void draw_result(struct console *console, const struct match_state *view);

/* The title of a game for people, or its name when the game is not known here. */
const char *game_title(const char *name);

enum { GAME_LABEL_MAX = 64 }; /* bytes with the final NUL */
/* Writes "Clobber 5x6" into label, and returns it. */
const char *game_label(const char *game, const char *variant, char label[GAME_LABEL_MAX]);

#endif
