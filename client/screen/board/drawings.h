/* Drawings of pieces in several rows, for large squares. The sides differ in shape and in fill. */
#ifndef LUDUS_SCREEN_DRAWINGS_H
#define LUDUS_SCREEN_DRAWINGS_H

enum { DRAWING_WIDTH = 5, DRAWING_HEIGHT = 3 };

struct drawing {
    char piece;
    const char *blocks[DRAWING_HEIGHT];  /* in UTF-8 */
    const char *letters[DRAWING_HEIGHT]; /* in ASCII, with the letter of the piece */
};

/* The drawing of a piece, or NULL. */
const struct drawing *drawing_find(char piece);

#endif
