#include "paint.h"

#include <langinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "client/games/guide.h"
#include "client/ludus/term/wrap.h"
#include "common/xmalloc.h"

enum { OWN = PALETTE_TERMINAL, INK_WHITE = 231, INK_BLACK = 232, INK_MARK = 226 };

/* Colours of 256. Nothing depends on telling red from green. */
static const struct {
    const char *name, *text;
    short faint;                           /* on the terminal's ground */
    short ground[GROUNDS], shade[GROUNDS]; /* of squares, and of faint text on them */
} themes[] = {
    {"dark",
     N_("brown board"),
     245,
     {OWN, 137, 95, 16, 67, 30, 97},
     {OWN, 95, 94, 233, INK_MARK, INK_MARK, INK_MARK}},
    {"light",
     N_("blue board"),
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

static const char no_colors[] = N_("none"); /* for the settings, and for people */

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

/* Whether each symbol of the text takes one column. */
static bool is_narrow(const char *text)
{
    wchar_t symbol;
    int bytes;

    for (; (bytes = mbtowc(&symbol, text, MB_CUR_MAX)) > 0; text += bytes)
        if (wcwidth(symbol) != 1)
            return false;
    return bytes == 0;
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
    bool narrow =
        strcmp(nl_langinfo(CODESET), "UTF-8") == 0 && is_narrow("─│┼░▓█▀▄▌▐▖▗▘▝▙▛▜▟♔♕♖♗♘◇");
    for (int i = 0; games[i] != NULL && narrow; i++) {
        const struct guide *guide = guide_of(games[i]);
        const struct look *look = guide != NULL ? guide->looks : NULL;
        for (; look != NULL && look->piece != 0; look++)
            narrow = narrow && is_narrow(look->symbol);
    }
    theme->unicode = narrow;
    theme->symbols = theme->unicode && !settings->letters;
    theme->board_rows = settings->board_rows;
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
    return theme->index == plain_index() ? _(no_colors) : _(themes[theme->index].text);
}

bool theme_is_plain(const struct theme *theme)
{
    return theme->index == plain_index();
}

attr_t theme_ink(const struct theme *theme, enum ink_of ink, enum ground ground)
{
    if (theme_is_plain(theme)) {
        attr_t attributes = ink == OF_WHITE ? A_BOLD : ink == OF_FAINT ? A_DIM : A_NORMAL;

        if (ground == GROUND_LAST)
            attributes |= A_UNDERLINE;
        return ground == GROUND_CHOSEN ? attributes | A_REVERSE : attributes;
    }
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

enum { TEXT_MAX = 512 };

void area_drop_rows(struct area *area, int rows)
{
    area->y += rows;
    area->height -= rows;
}

enum { MARKS_MAX = 3 }; /* on a letter, as in names */

/* Puts a letter with its marks there. */
static void put_letter(int y, int x, attr_t ink, const wchar_t *letter)
{
    cchar_t cell;

    setcchar(&cell, letter, ink & A_ATTRIBUTES & ~A_COLOR, (short)PAIR_NUMBER(ink), NULL);
    mvadd_wch(y, x, &cell);
}

/* Whether a character without a column of its own is a mark on the letter before it. Others join
 * letters or choose a variant, and would make the width a guess. */
static bool is_mark(wchar_t letter)
{
    return letter > 0 && (letter < 0x200B || letter > 0x206F) && letter != 0x20E3 &&
           (letter < 0xFE00 || letter > 0xFE0F) && letter != 0xFEFF && letter < 0xE0000;
}

/* Reads the letter that the text begins with and its marks. Returns the rest of the text. */
static const char *read_letter(const char *text, wchar_t letter[MARKS_MAX + 2], int *width)
{
    int count = 1, mark_width;
    wchar_t mark;

    text = wrap_letter(text, strlen(text), &letter[0], width);
    while (*text != '\0') {
        const char *next = wrap_letter(text, strlen(text), &mark, &mark_width);
        if (mark_width > 0)
            break;
        if (count <= MARKS_MAX && is_mark(mark))
            letter[count++] = mark;
        text = next;
    }
    letter[count] = L'\0';
    return text;
}

int paint_text(int y, int x, int width, attr_t ink, const char *text)
{
    bool cut = wrap_columns(text, strlen(text)) > width;
    int column = 0, limit = cut ? width - 1 : width, letter_width;
    wchar_t letter[MARKS_MAX + 2];

    if (y < 0 || y >= LINES || x < 0 || x + width > COLS)
        return 0;
    while (*text != '\0') {
        text = read_letter(text, letter, &letter_width);
        if (column + letter_width > limit)
            break;
        if (letter_width > 0) /* marks without a letter are left out */
            put_letter(y, x + column, ink, letter);
        column += letter_width;
    }
    if (cut && width > 0)
        put_letter(y, x + column++, ink, L"~");
    return column;
}

void paint_fitting(int y, int x, int width, attr_t ink, const char *const texts[], int count)
{
    int i = 0;

    while (i < count - 1 && wrap_columns(texts[i], strlen(texts[i])) > width)
        i++;
    paint_text(y, x, width, ink, texts[i]);
}

int paint_format(int y, int x, int width, attr_t ink, const char *format, ...)
{
    char text[TEXT_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, text_translated(format), args);
    va_end(args);
    return paint_text(y, x, width, ink, text);
}

/* Paints some rows of a text; with height 0 only counts them. `cut`: marks a text that is cut in
 * the last row. */
static int put_rows(const struct area *area, int skip, bool cut, attr_t ink, const char *text)
{
    size_t bytes = strlen(text);
    int count = 0, end = skip + area->height, indent = 0;
    int width = area->width, more = wrap_indent(text, width, 0);

    while (bytes > 0 && width > 0 && (area->height == 0 || count < end)) {
        size_t row = wrap_row(text, bytes, width - indent);
        bool last = cut && count + 1 == end;
        char *part = xstrndup(text, last ? bytes : row);
        if (count >= skip && area->height > 0)
            paint_text(area->y + count - skip, area->x + indent, width - indent, ink, part);
        free(part);
        count++;
        indent = more;
        row += strspn(text + row, " ");
        text += row;
        bytes -= row;
    }
    return count;
}

int paint_rows(int y, int x, int width, int rows, attr_t ink, const char *text)
{
    return put_rows(&(struct area){y, x, width, rows}, 0, true, ink, text);
}

void paint_rows_behind(const struct area *area, int skip, attr_t ink, const char *text)
{
    if (area->height > 0)
        put_rows(area, skip, false, ink, text);
}

void paint_blank(int y, int x, int width, attr_t ink)
{
    for (int i = 0; i < width && y >= 0 && y < LINES && x + i < COLS; i++)
        put_letter(y, x + i, ink, L" ");
}
