/* What stands beside the board: who plays, the clocks, what is special to the game, the moves, and
 * what was said. */
#ifndef LUDUS_SCREEN_PANEL_H
#define LUDUS_SCREEN_PANEL_H

#include "client/screen/board/special.h"
#include "client/screen/stage/paint.h"
#include "client/screen/stage/stage.h"

/* A piece of a side, its name and its clock, in one row; the special may be NULL. */
void panel_player(const struct stage *stage, const struct special *special, const struct area *area,
                  enum color color);

/* The moves so far, two in a row, the last at the bottom; `back` rows of the end are left out.
 * `shown` is the number of moves after which the match is shown, all of them or fewer. */
void panel_moves(const struct stage *stage, const struct area *area, int back, int shown);

/* The last lines that were said in the match on the screen, as many as there is room for. */
void panel_log(const struct stage *stage, const struct area *area);

/* Lines, one a row. */
void panel_lines(const struct stage *stage, const struct area *area, const struct lines *lines);

#endif
