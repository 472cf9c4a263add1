/* The colours of all themes: nothing on the screen vanishes, on dark and on light terminals. */
#include <math.h>

#include "check.h"
#include "client/ludus/screen/stage/paint.h"

/* Of WCAG 2.1: large text and graphics need a contrast of 3, the strongest is 21. */
static const double CONTRAST_MIN = 3.0;

struct rgb {
    int red, green, blue;
};

static const struct rgb on_black = {0, 0, 0}, on_white = {255, 255, 255};

/* The first eight colours of xterm and of the console of Linux. */
static const struct rgb systems[][8] = {
    {{0, 0, 0},
     {205, 0, 0},
     {0, 205, 0},
     {205, 205, 0},
     {0, 0, 238},
     {205, 0, 205},
     {0, 205, 205},
     {229, 229, 229}},
    {{0, 0, 0},
     {170, 0, 0},
     {0, 170, 0},
     {170, 85, 0},
     {0, 0, 170},
     {170, 0, 170},
     {0, 170, 170},
     {170, 170, 170}},
};

/* A colour of 16 to 255: a cube of 6x6x6 colours, then 24 greys. */
static struct rgb rgb_of(int color)
{
    static const int levels[6] = {0, 95, 135, 175, 215, 255};
    int cube = color - 16, grey = 8 + 10 * (color - 232);

    if (color >= 232)
        return (struct rgb){grey, grey, grey};
    return (struct rgb){levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6]};
}

static double linear(int level)
{
    double part = level / 255.0;

    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static double luminance(struct rgb color)
{
    return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

static double contrast(struct rgb one, struct rgb other)
{
    double first = luminance(one) + 0.05, second = luminance(other) + 0.05;

    return first > second ? first / second : second / first;
}

/* Pieces need colours of their own on each ground: the terminal's may hide them. */
static void check_piece(int theme, enum ink_of ink, enum ground ground)
{
    struct palette_pair pair = palette_pair(theme, false, ink, ground);
    const char *side = ink == OF_WHITE ? "white" : "black";

    if (!CHECK_THAT(pair.ink >= 16 && pair.ground >= 16, "%s, %s on %d", palette_name(theme), side,
                    ground))
        return;
    double seen = contrast(rgb_of(pair.ink), rgb_of(pair.ground));
    CHECK_THAT(seen >= CONTRAST_MIN, "%s, %s on %d: %.2f", palette_name(theme), side, ground, seen);
}

/* Marks on the board, and text on a terminal of any colour. */
static void check_texts(int theme, enum ground ground)
{
    struct palette_pair mark = palette_pair(theme, false, OF_TEXT, ground);
    struct palette_pair faint = palette_pair(theme, false, OF_FAINT, GROUND_NONE);
    struct palette_pair text = palette_pair(theme, false, OF_TEXT, GROUND_NONE);

    CHECK_THAT(contrast(rgb_of(mark.ink), rgb_of(mark.ground)) >= CONTRAST_MIN, "%s, marks on %d",
               palette_name(theme), ground);
    CHECK(text.ink == PALETTE_TERMINAL && text.ground == PALETTE_TERMINAL);
    CHECK_INT(faint.ground, PALETTE_TERMINAL);
    CHECK_THAT(contrast(rgb_of(faint.ink), on_black) >= CONTRAST_MIN &&
                   contrast(rgb_of(faint.ink), on_white) >= CONTRAST_MIN,
               "%s, faint text", palette_name(theme));
}

static void check_theme(int theme)
{
    double hole = luminance(rgb_of(palette_pair(theme, false, OF_TEXT, GROUND_HOLE).ground));

    for (enum ground ground = GROUND_NONE; ground < GROUNDS; ground++) {
        if (ground == GROUND_HOLE)
            continue;
        check_piece(theme, OF_WHITE, ground);
        check_piece(theme, OF_BLACK, ground);
        struct palette_pair black = palette_pair(theme, false, OF_BLACK, ground);
        CHECK(hole < luminance(rgb_of(black.ink)) && hole < luminance(rgb_of(black.ground)));
        if (ground != GROUND_NONE)
            check_texts(theme, ground);
    }
    struct palette_pair light = palette_pair(theme, false, OF_WHITE, GROUND_LIGHT);
    struct palette_pair dark = palette_pair(theme, false, OF_WHITE, GROUND_DARK);
    CHECK(luminance(rgb_of(light.ground)) > 1.3 * luminance(rgb_of(dark.ground)));
}

/* With eight colours, whichever the terminal takes for them. */
static void check_few(int theme, const struct rgb system[8])
{
    for (enum ground ground = GROUND_NONE; ground < GROUNDS; ground++)
        for (enum ink_of ink = OF_WHITE; ink <= OF_BLACK; ink++) {
            struct palette_pair pair = palette_pair(theme, true, ink, ground);
            if (CHECK(pair.ink >= 0 && pair.ground >= 0 && pair.ink < 8 && pair.ground < 8))
                CHECK_THAT(contrast(system[pair.ink], system[pair.ground]) >= CONTRAST_MIN,
                           "%d on %d", pair.ink, pair.ground);
        }
}

int main(void)
{
    CHECK(palette_count() >= 2);
    for (int theme = 0; theme < palette_count(); theme++) {
        check_theme(theme);
        for (size_t i = 0; i < LENGTH(systems); i++)
            check_few(theme, systems[i]);
    }
    return check_end("test_palette");
}
