/*
 * Colours and symbols of full screen. No theme says anything by colour alone, and none relies on
 * telling red from green. Without colours (also with NO_COLOR) the only theme uses bold, underlined
 * and reversed text.
 */
#ifndef LUDUS_SCREEN_THEME_H
#define LUDUS_SCREEN_THEME_H

#include <curses.h>
#include <stdbool.h>

#include "client/term/settings.h"
#include "palette.h"

struct theme {
    int index; /* of its palette, or the number of palettes: without colours */
    bool color;
    bool unicode; /* the terminal shows lines and symbols beyond ASCII */
    bool symbols; /* pieces are symbols, not letters */
};

/* Call this with the terminal open. */
void theme_open(struct theme *theme, const struct settings *settings);

/* Switches to the next theme, notes it in the settings, and returns its name for people. */
const char *theme_next(struct theme *theme, struct settings *settings);

/* The attributes for text of that kind on that ground. */
attr_t theme_ink(const struct theme *theme, enum ink_of ink, enum ground ground);

/* Gives the attributes of black on white, whatever the theme. False without colours. */
bool theme_black_on_white(const struct theme *theme, attr_t *ink);

/* Plain and faint text on the usual ground. */
attr_t theme_text(const struct theme *theme);
attr_t theme_faint(const struct theme *theme);

#endif
