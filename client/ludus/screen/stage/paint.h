/*
 * Text, colours and symbols on the screen. Text is cut to its columns and free of control
 * characters; nothing is painted outside the screen. No theme says anything by colour alone, and
 * none relies on telling red from green. The board brings its own grounds: medium tones on which
 * pure white and black pieces stand out, whatever the terminal's colours are. Without colours (also
 * with NO_COLOR) the only theme uses bold, underlined and reversed text.
 */
#ifndef LUDUS_SCREEN_PAINT_H
#define LUDUS_SCREEN_PAINT_H

#include <curses.h>
#include <stdbool.h>

#include "client/ludus/term/settings.h"

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

/* The colours of text of that kind on that ground. few: the terminal has only eight colours.
 * Pieces next to text, where the ground is none, bring the ground of a light square. */
struct palette_pair palette_pair(int theme, bool few, enum ink_of ink, enum ground ground);

struct theme {
    int index;      /* of its palette, or the number of palettes: without colours */
    bool color;     /* the terminal shows colours */
    bool unicode;   /* the terminal shows lines and symbols beyond ASCII */
    bool symbols;   /* pieces are symbols, not letters */
    int board_rows; /* a square of a board has at most that many; 0: as many as fit */
};

/* Call this with the terminal open. */
void theme_open(struct theme *theme, const struct settings *settings);

/* Switches to the next theme, notes it in the settings, and returns its name for people. */
const char *theme_next(struct theme *theme, struct settings *settings);

/* Whether it is the theme without colours, by choice or because the terminal has none. */
bool theme_is_plain(const struct theme *theme);

/* The attributes for text of that kind on that ground. */
attr_t theme_ink(const struct theme *theme, enum ink_of ink, enum ground ground);

/* Gives the attributes of black on white, whatever the theme. False without colours. */
bool theme_black_on_white(const struct theme *theme, attr_t *ink);

/* Plain and faint text on the usual ground. */
attr_t theme_text(const struct theme *theme);
attr_t theme_faint(const struct theme *theme);

/* A part of the screen. */
struct area {
    int y, x, width, height;
};

/* Takes that number of rows off the top of an area. */
void area_drop_rows(struct area *area, int rows);

/* Paints text in at most `width` columns; '~' marks a cut. Returns the columns used. */
int paint_text(int y, int x, int width, attr_t ink, const char *text);

/* Paints the first of the texts that fits, else the last one, cut. */
void paint_fitting(int y, int x, int width, attr_t ink, const char *const texts[], int count);

/* Paints formatted text as paint_text() does. */
int paint_format(int y, int x, int width, attr_t ink, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Paints text in at most `rows` rows, broken at spaces; returns the rows used. With rows 0 it only
 * counts them. '~' ends a text that is cut. Rows of a table go on below its second column. */
int paint_rows(int y, int x, int width, int rows, attr_t ink, const char *text);

/* Paints the rows after the first `skip`, as many as the area has. */
void paint_rows_behind(const struct area *area, int skip, attr_t ink, const char *text);

/* Fills `width` columns with spaces. */
void paint_blank(int y, int x, int width, attr_t ink);

#endif
