/*
 * Colours and letters of the full screen. No theme tells anything by colour alone, and none needs
 * red to be told from green. Without colours (a terminal that has none, NO_COLOR set) there is one
 * theme, of bold, underlined and reversed letters.
 */
#ifndef LUDUS_SCREEN_THEME_H
#define LUDUS_SCREEN_THEME_H

#include <curses.h>
#include <stdbool.h>

#include "client/term/settings.h"

enum ink_of { OF_TEXT, OF_WHITE, OF_BLACK, OF_FAINT, INKS };
enum ground { GROUND_NONE, GROUND_LAST, GROUND_TARGET, GROUND_CHOSEN, GROUNDS };

struct theme {
    int index; /* of the table of themes */
    bool color;
    bool unicode; /* lines and symbols beyond ASCII can be drawn */
    bool symbols; /* pieces are drawn as symbols, not as letters */
};

/* To be called with the terminal open. */
void theme_open(struct theme *theme, const struct settings *settings);

/* The next theme, and what it is called. */
const char *theme_next(struct theme *theme);

/* Notes in the settings what of it was a choice here. */
void theme_keep(const struct theme *theme, struct settings *settings);

/* How something is drawn. */
attr_t theme_ink(const struct theme *theme, enum ink_of ink, enum ground ground);

/* Plain text, and what matters less, on the usual ground. */
attr_t theme_text(const struct theme *theme);
attr_t theme_faint(const struct theme *theme);

#endif
