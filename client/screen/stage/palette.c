#include "palette.h"

#include <curses.h>

enum { OWN = PALETTE_TERMINAL, INK_WHITE = 231, INK_BLACK = 232, INK_MARK = 226 };

/* Colours of 256. Nothing depends on telling red from green. */
static const struct {
    const char *name, *text;
    short faint;                           /* on the terminal's ground */
    short ground[GROUNDS], shade[GROUNDS]; /* of squares, and of faint text on them */
} themes[] = {
    {"dark",
     "brown board",
     245,
     {OWN, 137, 95, 16, 67, 30, 97},
     {OWN, 95, 94, 233, INK_MARK, INK_MARK, INK_MARK}},
    {"light",
     "blue board",
     242,
     {OWN, 67, 60, 16, 136, 65, 133},
     {OWN, 60, 17, 233, INK_MARK, INK_MARK, INK_MARK}},
};

int palette_count(void)
{
    return sizeof themes / sizeof themes[0];
}

const char *palette_name(int theme)
{
    return themes[theme].name;
}

const char *palette_text(int theme)
{
    return themes[theme].text;
}

/* Black does not stand out on blue, so black pieces bring a ground of their own. */
static struct palette_pair pair_of_few(enum ink_of ink, enum ground ground)
{
    if (ink == OF_BLACK)
        return (struct palette_pair){COLOR_BLACK, COLOR_CYAN};
    if (ground == GROUND_NONE && ink != OF_WHITE)
        return (struct palette_pair){OWN, OWN};
    return (struct palette_pair){ink == OF_FAINT ? COLOR_BLACK : COLOR_WHITE,
                                 ground == GROUND_HOLE ? COLOR_BLACK : COLOR_BLUE};
}

static short ink_of_board(int theme, enum ink_of ink, enum ground ground)
{
    if (ink == OF_FAINT)
        return themes[theme].shade[ground];
    return ink == OF_WHITE ? INK_WHITE : ink == OF_BLACK ? INK_BLACK : INK_MARK;
}

struct palette_pair palette_pair(int theme, bool few, enum ink_of ink, enum ground ground)
{
    bool piece = ink == OF_WHITE || ink == OF_BLACK;

    if (few)
        return pair_of_few(ink, ground);
    if (ground == GROUND_NONE && !piece)
        return (struct palette_pair){ink == OF_FAINT ? themes[theme].faint : OWN, OWN};
    if (ground == GROUND_NONE)
        ground = GROUND_LIGHT;
    return (struct palette_pair){ink_of_board(theme, ink, ground), themes[theme].ground[ground]};
}
