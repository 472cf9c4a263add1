/*
 * What is special to a game on the screen, one row and one file a game: symbols for its pieces,
 * what is marked on the board and said beside it, and its rules in short with an example.
 *
 * A game without a row is shown all the same, by its letters.
 */
#ifndef LUDUS_SCREEN_SPECIAL_H
#define LUDUS_SCREEN_SPECIAL_H

#include "client/model/scene.h"
#include "client/screen/stage/lines.h"

/* Letters beside the pieces; 0 for none. */
struct marks {
    char left[BOARD_SQUARES_MAX], right[BOARD_SQUARES_MAX];
    bool by_side; /* those on the left are about white, the others about black */
};

struct special {
    const struct game *game;
    const char *symbols; /* a piece and its symbol, by turns: "K♔k♚" */

    /* What can be shown on the board on demand, in a word or two, and whether it is at first;
     * NULL: nothing. */
    const char *overlay;
    bool overlay_at_first;

    /* Marks the board, empty so far; overlay: also what is shown on demand. NULL: never. */
    void (*mark)(const struct scene *scene, bool overlay, struct marks *marks);

    /* What a legal move does, as one letter: 'o', or 'x' where it takes something away. NULL: all
     * are 'o'. */
    char (*target)(const struct scene *scene, struct move move);

    /* Says, in short lines, what stands beside the board. */
    void (*tell)(const struct scene *scene, bool overlay, struct lines *lines);

    const char *const *rules; /* paragraphs, NULL-terminated */
    const char *example;      /* a position of the default variant */
    const char *example_text; /* what is to be seen there */
};

extern const struct special special_clobber, special_xadrersi, special_latrunculi, special_shakti;

/* That of a game, or NULL; the game may be NULL. */
const struct special *special_find(const struct game *game);

/* The symbol of a piece, borrowed, with its length in *bytes; NULL when it has none. */
const char *special_symbol(const struct special *special, char piece, int *bytes);

/* A piece of that side, the first among the symbols; 0: none. */
char special_piece(const struct special *special, enum color color);

/* The squares next to one, along file and rank, into squares[4]; how many there are. */
int special_neighbours(const struct board *board, int square, int squares[4]);

/* Adds a line, formatted as by printf. */
void special_say(struct lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
