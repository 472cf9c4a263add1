/*
 * Additions of the screen for single games, one row and one file a game: symbols for pieces, marks
 * on the board, text beside it, and short rules.
 *
 * A game without a row is shown by its letters.
 */
#ifndef LUDUS_SCREEN_SPECIAL_H
#define LUDUS_SCREEN_SPECIAL_H

#include "client/model/scene.h"
#include "client/screen/stage/lines.h"

/* Letters beside the pieces; 0: none. */
struct marks {
    char left[BOARD_SQUARES_MAX], right[BOARD_SQUARES_MAX];
    bool by_side; /* left is about white, right about black */
};

struct special {
    const struct game *game;
    const char *symbols; /* pieces and symbols in turn: "S●s■" */

    bool drawless;  /* the rules know no draw, though players may agree on one */
    bool chequered; /* the rules speak of light and dark squares */

    /* The name of what is shown on demand, and whether it is shown at first; NULL: nothing. */
    const char *overlay;
    bool overlay_at_first;

    /* Marks an empty board; overlay: with what is shown on demand. May be NULL. */
    void (*mark)(const struct scene *scene, bool overlay, struct marks *marks);

    /* Adds the short lines beside the board. */
    void (*tell)(const struct scene *scene, bool overlay, struct lines *lines);

    const char *const *rules; /* paragraphs, NULL-terminated; the lessons draw examples */
};

extern const struct special special_clobber, special_xadrersi, special_latrunculi, special_shakti;

/* The row of a game, or NULL; the game may be NULL. */
const struct special *special_find(const struct game *game);

/* The symbol of a piece, borrowed, and its length in *bytes; NULL when it has none. */
const char *special_symbol(const struct special *special, char piece, int *bytes);

/* The first piece of that side; 0: none. */
char special_piece(const struct special *special, enum color color);

/* The steps along files and ranks, then those along diagonals. */
extern const int special_steps[8][2];

/* Goes on to the next square in a direction; false at the edge of the board. */
bool special_step(const struct board *board, int *square, const int step[2]);

/* Writes the orthogonal neighbours of a square; returns how many there are. */
int special_neighbours(const struct board *board, int square, int squares[4]);

/* Adds a formatted line. */
void special_say(struct lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
