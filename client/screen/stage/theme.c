#include "theme.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { USUAL = -1 }; /* the terminal's own colour */

/* Colours of 256 and of 8; white is bold as well. The first theme is readable on dark and light
 * terminals. */
static const struct {
    const char *name, *text; /* for the settings, and for people */
    short ink[2][INKS], ground[2][GROUNDS];
} themes[] = {
    {"dark",
     "bold and orange",
     {{USUAL, USUAL, 208, 245}, {USUAL, USUAL, COLOR_YELLOW, USUAL}},
     {{USUAL, 24, 238, 31}, {USUAL, COLOR_BLUE, USUAL, COLOR_CYAN}}},
    {"light",
     "blue and black, for light terminals",
     {{USUAL, 25, 16, 243}, {USUAL, COLOR_BLUE, COLOR_BLACK, USUAL}},
     {{USUAL, 223, 254, 153}, {USUAL, COLOR_YELLOW, USUAL, COLOR_CYAN}}},
    {"none", "none", {{0}, {0}}, {{0}, {0}}},
};

enum { THEMES = sizeof themes / sizeof themes[0], PLAIN = THEMES - 1 };

/* Faint text would be hard to read on a coloured ground. */
static int ink_on(int ink, int ground)
{
    return ink == OF_FAINT && ground != GROUND_NONE ? OF_TEXT : ink;
}

static void make_pairs(int index)
{
    int few = COLORS < 256;

    if (index == PLAIN)
        return;
    for (int ink = 0; ink < INKS; ink++)
        for (int ground = 0; ground < GROUNDS; ground++)
            init_pair((short)(1 + ink * GROUNDS + ground),
                      themes[index].ink[few][ink_on(ink, ground)],
                      themes[index].ground[few][ground]);
}

/* Whether the locale is UTF-8 and the symbols take one column each; in some locales they take
 * two. */
static bool has_narrow_symbols(void)
{
    static const wchar_t symbols[] = L"○●◇◆△▲♔♕♖♗♘♚♛♜♝♞─│┼░";

    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        return false;
    for (int i = 0; symbols[i] != L'\0'; i++)
        if (wcwidth(symbols[i]) != 1)
            return false;
    return true;
}

/* The theme of that name, or the first. */
static int find_theme(const char *name)
{
    int index = THEMES - 1;

    while (index > 0 && strcmp(themes[index].name, name) != 0)
        index--;
    return index;
}

void theme_open(struct theme *theme, const struct settings *settings)
{
    const char *no_color = getenv("NO_COLOR");
    bool wanted = no_color == NULL || no_color[0] == '\0';

    theme->color = wanted && has_colors() && start_color() == OK && use_default_colors() == OK &&
                   COLOR_PAIRS > INKS * GROUNDS;
    theme->index = theme->color ? find_theme(settings->theme) : PLAIN;
    theme->unicode = has_narrow_symbols();
    theme->symbols = theme->unicode && !settings->letters;
    make_pairs(theme->index);
}

const char *theme_next(struct theme *theme, struct settings *settings)
{
    if (theme->color) {
        theme->index = (theme->index + 1) % THEMES;
        snprintf(settings->theme, sizeof settings->theme, "%s", themes[theme->index].name);
    }
    make_pairs(theme->index);
    return themes[theme->index].text;
}

static attr_t plain_ink(enum ink_of ink, enum ground ground)
{
    attr_t attributes = ink == OF_WHITE ? A_BOLD : ink == OF_FAINT ? A_DIM : A_NORMAL;

    if (ground == GROUND_LAST)
        attributes |= A_UNDERLINE;
    return ground == GROUND_CHOSEN ? attributes | A_REVERSE : attributes;
}

attr_t theme_ink(const struct theme *theme, enum ink_of ink, enum ground ground)
{
    if (theme->index == PLAIN)
        return plain_ink(ink, ground);
    attr_t pair = (attr_t)COLOR_PAIR(1 + ink * GROUNDS + ground);
    return ink == OF_WHITE ? pair | A_BOLD : pair;
}

bool theme_black_on_white(const struct theme *theme, attr_t *ink)
{
    const short pair = INKS * GROUNDS + 1, bright = 15;

    if (!theme->color || COLOR_PAIRS <= pair)
        return false;
    if (COLORS >= 256)
        init_pair(pair, 16, 231);
    else
        init_pair(pair, COLOR_BLACK, COLORS > bright ? bright : COLOR_WHITE);
    *ink = (attr_t)COLOR_PAIR(pair);
    return true;
}

attr_t theme_text(const struct theme *theme)
{
    return theme_ink(theme, OF_TEXT, GROUND_NONE);
}

attr_t theme_faint(const struct theme *theme)
{
    return theme_ink(theme, OF_FAINT, GROUND_NONE);
}
