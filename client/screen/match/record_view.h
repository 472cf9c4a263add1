/* A recorded match on the screen, step by step: what replay and review share. */
#ifndef LUDUS_RECORD_VIEW_H
#define LUDUS_RECORD_VIEW_H

#include "client/screen/board/board_view.h"
#include "client/screen/stage/keys.h"
#include "common/pgn.h"

struct record_view {
    const struct pgn_match *match; /* borrowed */
    struct scene scene;
    const struct special *special; /* NULL: the game has none */
    int ply;                       /* moves made on the board */
    bool flip, overlay;
};

/* Shows another match, after so many plies. */
void record_view_begin(struct record_view *view, const struct pgn_match *match, int ply);

/* Goes to the position after so many plies, or to the nearest there is. */
void record_view_go(struct record_view *view, int ply);

/* Takes the actions that step, turn the board or switch the overlay; false for others. */
bool record_view_take(struct record_view *view, enum action action);

/* Paints the board at board->y and board->x, in so many rows and columns. */
void record_view_paint(const struct record_view *view, const struct theme *theme,
                       struct board_view *board, int rows, int columns);

#endif
