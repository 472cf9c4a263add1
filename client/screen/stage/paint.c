#include "paint.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "client/term/wrap.h"
#include "common/xmalloc.h"

enum { TEXT_MAX = 512 };

void area_drop_rows(struct area *area, int rows)
{
    area->y += rows;
    area->height -= rows;
}

static void put_letter(int y, int x, attr_t ink, wchar_t letter)
{
    wchar_t text[2] = {letter, L'\0'};
    cchar_t cell;

    setcchar(&cell, text, ink & A_ATTRIBUTES & ~A_COLOR, (short)PAIR_NUMBER(ink), NULL);
    mvadd_wch(y, x, &cell);
}

int paint_text(int y, int x, int width, attr_t ink, const char *text)
{
    bool cut = wrap_columns(text, strlen(text)) > width;
    int column = 0, limit = cut ? width - 1 : width, letter_width;
    wchar_t letter;

    if (y < 0 || y >= LINES || x < 0 || x + width > COLS)
        return 0;
    while (*text != '\0') {
        text = wrap_letter(text, strlen(text), &letter, &letter_width);
        if (column + letter_width > limit)
            break;
        if (letter_width > 0) /* combining characters would make the width a guess */
            put_letter(y, x + column, ink, letter);
        column += letter_width;
    }
    if (cut && width > 0)
        put_letter(y, x + column++, ink, L'~');
    return column;
}

int paint_format(int y, int x, int width, attr_t ink, const char *format, ...)
{
    char text[TEXT_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
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
        put_letter(y, x + i, ink, L' ');
}
