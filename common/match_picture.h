/*
 * A match as others are shown it: its title, and a picture of its board. Clients and the server
 * draw it alike.
 */
#ifndef LUDUS_MATCH_PICTURE_H
#define LUDUS_MATCH_PICTURE_H

#include "buffer.h"
#include "game.h"

struct match_picture {
    const struct game *game;
    struct position position; /* that is shown */
    char last[MOVE_TEXT_MAX]; /* the move that led to it; "": none */
    const char *names[2];     /* borrowed, by colour; NULL: not known, or nobody yet */
    struct outcome outcome;   /* of the match */
    int ply, plies;           /* how many moves were played up to it, and in the match */
};

enum { MATCH_TITLE_MAX = 512 }; /* bytes with the final NUL */

/* Writes "Clobber 5x6: anna - bob, 1-0 (no-moves), 23 moves". */
void match_picture_title(const struct match_picture *picture, char title[MATCH_TITLE_MAX]);

/* Adds the board as an SVG file, with the title above it. */
void match_picture_svg(const struct match_picture *picture, struct buffer *svg);

/* Adds a text in which <, >, & and " stand for themselves, in XML and HTML. */
void markup_puts(struct buffer *markup, const char *text);

/* What a square of a picture shows. */
struct picture_square {
    enum { SQUARE_NONE, SQUARE_DARK, SQUARE_LIGHT, SQUARE_LAST } ground; /* none: a hole */
    char piece;       /* its letter, upper case; 0: none */
    enum color color; /* of the piece */
};

/* Tells what to draw on each square; a1 is 0. Returns the size of the board in *width and *height.
 */
void match_picture_squares(const struct match_picture *picture,
                           struct picture_square squares[BOARD_SQUARES_MAX], int *width,
                           int *height);

/* The colours of pictures, as 0xRRGGBB. */
enum picture_colour {
    PICTURE_FRAME = 0x5c4632,
    PICTURE_TITLE = 0xf4ead3,
    PICTURE_DARK = 0xc9b285,
    PICTURE_LIGHT = 0xe8d9b8,
    PICTURE_LAST = 0xdfb64d,
    PICTURE_WHITE = 0xfbf7ec,
    PICTURE_WHITE_EDGE = 0x3b2f20, /* and the letter there */
    PICTURE_BLACK = 0x2b2723,
    PICTURE_BLACK_EDGE = 0x0d0b09
};

#endif
