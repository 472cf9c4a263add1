#include "theme.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static const char no_colors[] = "none"; /* for the settings, and for people */

/* The themes with colours come first. */
static int plain_index(void)
{
    return palette_count();
}

static short pair_number(enum ink_of ink, enum ground ground)
{
    return (short)(1 + (int)ink * GROUNDS + (int)ground);
}

static void make_pairs(int index)
{
    if (index == plain_index())
        return;
    for (enum ink_of ink = OF_TEXT; ink < INKS; ink++)
        for (enum ground ground = GROUND_NONE; ground < GROUNDS; ground++) {
            struct palette_pair pair = palette_pair(index, COLORS < 256, ink, ground);
            init_pair(pair_number(ink, ground), pair.ink, pair.ground);
        }
}

/* Whether the locale is UTF-8 and the symbols take one column each; in some locales they take
 * two. */
static bool has_narrow_symbols(void)
{
    static const wchar_t symbols[] = L"●■◆▲▼♚♛♜♝♞─│┼░▓█▀▄▌▐▖▗▘▝▙▛▜▟";

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
    int index = plain_index();

    if (strcmp(name, no_colors) == 0)
        return index;
    while (--index > 0 && strcmp(palette_name(index), name) != 0)
        continue;
    return index;
}

void theme_open(struct theme *theme, const struct settings *settings)
{
    const char *no_color = getenv("NO_COLOR");
    bool wanted = no_color == NULL || no_color[0] == '\0';

    theme->color = wanted && has_colors() && start_color() == OK && use_default_colors() == OK &&
                   COLOR_PAIRS > INKS * GROUNDS;
    theme->index = theme->color ? find_theme(settings->theme) : plain_index();
    theme->unicode = has_narrow_symbols();
    theme->symbols = theme->unicode && !settings->letters;
    make_pairs(theme->index);
}

const char *theme_next(struct theme *theme, struct settings *settings)
{
    if (theme->color) {
        theme->index = (theme->index + 1) % (plain_index() + 1);
        snprintf(settings->theme, sizeof settings->theme, "%s",
                 theme->index == plain_index() ? no_colors : palette_name(theme->index));
    }
    make_pairs(theme->index);
    return theme->index == plain_index() ? no_colors : palette_text(theme->index);
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
    if (theme->index == plain_index())
        return plain_ink(ink, ground);
    attr_t pair = (attr_t)COLOR_PAIR(pair_number(ink, ground));
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
