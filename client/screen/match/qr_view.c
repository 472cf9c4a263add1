#include "qr_view.h"

#include "client/talk/hosting.h"
#include "common/qr_code.h"

/* Paints two rows of modules on a row of the screen. */
static void paint_row(const struct qr_code *code, int y, int x, int first, attr_t ink)
{
    static const wchar_t *const blocks[] = {L" ", L"▄", L"▀", L"█"};
    cchar_t cell;

    for (int i = -QR_MARGIN; i < code->width + QR_MARGIN; i++) {
        int which = qr_code_is_dark(code, first, i) * 2 + qr_code_is_dark(code, first + 1, i);
        setcchar(&cell, blocks[which], A_NORMAL, (short)PAIR_NUMBER(ink), NULL);
        mvadd_wch(y, x++, &cell);
    }
}

/* Paints a row of modules, each as two spaces. */
static void paint_spaces(const struct qr_code *code, int y, int x, int row, attr_t ink)
{
    for (int i = -QR_MARGIN; i < code->width + QR_MARGIN; i++, x += 2)
        paint_blank(y, x, 2, qr_code_is_dark(code, row, i) ? ink | A_REVERSE : ink);
}

static bool waits_here(const struct client *client)
{
    const struct match_state *view = &client->view;

    return view->known && view->status == STATE_OPEN && !client->no_qr;
}

bool qr_view_paint(const struct stage *stage, const struct area *area)
{
    const struct theme *theme = &stage->theme;
    char page[HOSTING_LINE_MAX];
    struct qr_code code;
    attr_t ink;

    if (!waits_here(stage->client) || !theme_black_on_white(theme, &ink) ||
        !hosting_page(stage->client, page) || !qr_code_make(&code, page))
        return false;
    int modules = code.width + 2 * QR_MARGIN, each = theme->unicode ? 1 : 2;
    int width = modules * each, height = (modules + 2 - each) / (3 - each);
    if (width > area->width || height > area->height)
        return false;
    int y = area->y + (area->height - height) / 2, x = area->x + (area->width - width) / 2;
    for (int i = 0; i < height; i++)
        if (theme->unicode)
            paint_row(&code, y + i, x, 2 * i - QR_MARGIN, ink);
        else
            paint_spaces(&code, y + i, x, i - QR_MARGIN, ink);
    return true;
}
