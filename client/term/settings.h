/*
 * What the person has chosen for good: kept in the file "settings" of the state directory
 * (identity.h), a line "NAME VALUE" each. Knows neither the screen nor the server.
 */
#ifndef LUDUS_SETTINGS_H
#define LUDUS_SETTINGS_H

#include <stdbool.h>

#include "common/cause.h"

enum { THEME_NAME_MAX = 16 }; /* bytes with the final NUL */

struct settings {
    char theme[THEME_NAME_MAX]; /* "": the usual one */
    bool letters;               /* pieces are drawn as letters where symbols could be */
    bool bell;                  /* rings when it is one's turn */
};

/* Reads them; what is missing, or makes no sense, is as in a zeroed struct. */
void settings_load(struct settings *settings);

/* Keeps them. False, with the cause, when the file could not be written. */
bool settings_save(const struct settings *settings, struct cause *cause);

#endif
