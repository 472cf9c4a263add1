/*
 * The colours of each theme. The board brings its own grounds: medium tones on which pure white and
 * black pieces stand out, whatever the terminal's colours are.
 */
#ifndef LUDUS_SCREEN_PALETTE_H
#define LUDUS_SCREEN_PALETTE_H

#include <stdbool.h>

/* White and black are the pieces of the two sides. */
enum ink_of { OF_TEXT, OF_WHITE, OF_BLACK, OF_FAINT, INKS };

/* The terminal's ground, and those of squares. */
enum ground {
    GROUND_NONE,
    GROUND_LIGHT, /* the squares of a board whose squares are all alike, too */
    GROUND_DARK,
    GROUND_HOLE,
    GROUND_LAST,
    GROUND_TARGET,
    GROUND_CHOSEN,
    GROUNDS
};

enum { PALETTE_TERMINAL = -1 }; /* the terminal's own colour, which may be dark or light */

/* Numbers of colours as in curses. */
struct palette_pair {
    short ink, ground;
};

/* The number of themes with colours; they are those below it. */
int palette_count(void);

/* The name of a theme for the settings, and for people. */
const char *palette_name(int theme);
const char *palette_text(int theme);

/* The colours of text of that kind on that ground. few: the terminal has only eight colours.
 * Pieces next to text, where the ground is none, bring the ground of a light square. */
struct palette_pair palette_pair(int theme, bool few, enum ink_of ink, enum ground ground);

#endif
