/* The panel beside the board: players, clocks, facts, moves, chat. */
#ifndef LUDUS_SCREEN_PANEL_H
#define LUDUS_SCREEN_PANEL_H

#include "client/games/guide.h"
#include "client/ludus/screen/stage/paint.h"
#include "client/ludus/screen/stage/stage.h"

enum { PANEL_MIN = 27, PANEL_MAX = 46 }; /* columns */

/* Paints a piece, the name and the clock of a side in one row; the guide may be NULL. */
void panel_player(const struct stage *stage, const struct guide *guide, const struct area *area,
                  enum color color);

/* The moves of a match. */
struct panel {
    const struct move_text *moves; /* borrowed */
    int count;
    int shown; /* the number of moves after which the match is shown */
    int back;  /* rows left out at the end */
};

/* Paints the moves, two a row, the last at the bottom. */
void panel_moves(const struct stage *stage, const struct area *area, const struct panel *panel);

/* The ply after the move painted at that place of the screen; -1 if there is none. */
int panel_ply_at(const struct area *area, const struct panel *panel, int y, int x);

/* Paints the last lines said in the match, as many as fit, but not a line that is shown elsewhere;
 * "": none is. */
void panel_log(const struct stage *stage, const struct area *area, const char *elsewhere);

/* Paints lines, wrapped; returns the rows used. ~ in the last one tells of lines left out. */
int panel_lines(const struct stage *stage, const struct area *area, const struct lines *lines);

#endif
