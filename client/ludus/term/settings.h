/*
 * The player's settings, kept in the file "settings" of the state directory (identity.h), one "NAME
 * VALUE" a line.
 */
#ifndef LUDUS_SETTINGS_H
#define LUDUS_SETTINGS_H

#include <stdbool.h>

#include "language.h"

enum { THEME_NAME_MAX = 16, CHOICE_MAX = 40 }; /* bytes with the final NUL */

/* The last choices in the forms for a new match; "": none yet. */
struct setup_choices {
    char game[CHOICE_MAX], variant[CHOICE_MAX], clock[CHOICE_MAX], bot[CHOICE_MAX];
};

struct settings {
    char theme[THEME_NAME_MAX];       /* "": the default */
    char language[LANGUAGE_NAME_MAX]; /* "": that of the environment */
    bool letters;                     /* draw pieces as letters, not as symbols */
    struct setup_choices setup;
    int board_rows; /* the most rows that a square of a board has; 0: as many as fit */
    bool bell;      /* ring when it is the player's turn */
};

/* Loads the settings; missing or invalid ones are zero. */
void settings_load(struct settings *settings);

/* Saves the settings. False with the cause when the file could not be written. */
bool settings_save(const struct settings *settings, struct cause *cause);

#endif
