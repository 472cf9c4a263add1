/* A recorded match on the screen, step by step, as replay and review share it; and saving as PGN.
 */
#ifndef LUDUS_RECORD_VIEW_H
#define LUDUS_RECORD_VIEW_H

#include "client/ludus/screen/board/board_view.h"
#include "client/ludus/screen/stage/keys.h"
#include "client/ludus/screen/stage/stage.h"
#include "common/pgn.h"

struct record_view {
    const struct pgn_match *match; /* borrowed */
    struct scene scene;
    const struct guide *guide; /* NULL: the game has none */
    struct board_view board;   /* as last painted */
    int ply;                   /* moves made on the board */
    bool flip, overlay;
};

/* Shows another match, at this ply. */
void record_view_begin(struct record_view *view, const struct pgn_match *match, int ply);

/* Goes to a ply, or to the nearest there is. */
void record_view_go(struct record_view *view, int ply);

/* Takes the actions that step, turn the board, change its size or switch the overlay; false for
 * others. */
bool record_view_take(struct record_view *view, struct stage *stage, enum action action);

/* Paints the board below the title, into rows and columns. */
void record_view_paint(struct record_view *view, const struct theme *theme, int rows, int columns);

/* Asks for the name of the file and writes the text there; an existing file is replaced only if the
 * player wants that. Tells where it is, or why not. The match (NULL: without a name) and the suffix
 * make the default, ludus-MATCH.pgn. */
void save_pgn(struct stage *stage, const char *match, const char *suffix, const char *text);

/* Saves the match on the screen, as the server has recorded it. */
void save_match(struct stage *stage);

#endif
