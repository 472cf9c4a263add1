#include "page.h"

#include "paint.h"

enum { WHEEL_ROWS = 3 };

struct page {
    const char *title;
    const struct lines *lines;
    int top, rows; /* the first row shown, and all rows when last painted */
};

static int body_height(void)
{
    return LINES - 4;
}

/* Paints the rows of a line that are in view; `row` is its first. Returns its rows. */
static int paint_line(const struct page *page, int row, attr_t ink, const char *text)
{
    int rows = paint_rows(0, 0, COLS - 2, 0, ink, text);
    int skip = row < page->top ? page->top - row : 0, y = 2 + row + skip - page->top;

    paint_rows_behind(&(struct area){y, 1, COLS - 2, 2 + body_height() - y}, skip, ink, text);
    return rows > 0 ? rows : 1;
}

static void paint(struct stage *stage, void *context)
{
    struct page *page = context;
    attr_t ink = theme_text(&stage->theme);

    erase();
    paint_text(0, 1, COLS - 2, ink | A_BOLD, page->title);
    page->rows = 0;
    for (int i = 0; i < page->lines->count; i++)
        page->rows += paint_line(page, page->rows, ink, page->lines->texts[i]);
    paint_text(LINES - 1, 1, COLS - 2, theme_faint(&stage->theme),
               page->rows > body_height() ? "Up/Down scroll  Enter back" : "Enter back");
}

static void scroll_by(struct page *page, int rows)
{
    int last = page->rows - body_height();

    page->top += rows;
    if (page->top > last)
        page->top = last;
    if (page->top < 0)
        page->top = 0;
}

static bool take_key(struct stage *stage, void *context, int key)
{
    struct page *page = context;

    (void)stage;
    if (key == FN(KEY_UP))
        scroll_by(page, -1);
    else if (key == FN(KEY_DOWN))
        scroll_by(page, 1);
    else if (key == WHEEL_UP)
        scroll_by(page, -WHEEL_ROWS);
    else if (key == WHEEL_DOWN)
        scroll_by(page, WHEEL_ROWS);
    else if (key == FN(KEY_PPAGE))
        scroll_by(page, -body_height());
    else if (key == FN(KEY_NPAGE) || key == ' ')
        scroll_by(page, body_height());
    else if (key == FN(KEY_HOME))
        scroll_by(page, -page->rows);
    else if (key == FN(KEY_END))
        scroll_by(page, page->rows);
    else
        return key != NO_KEY;
    return false;
}

void page_show(struct stage *stage, const char *title, const struct lines *lines)
{
    stage_run(stage, paint, take_key, &(struct page){.title = title, .lines = lines});
}

void page_end(struct stage *stage, const char *title, int few)
{
    int rows = 0;

    stage->paging = false;
    for (int i = 0; i < stage->page.count; i++)
        rows += paint_rows(0, 0, COLS - 2, 0, A_NORMAL, stage->page.texts[i]);
    if (rows > few) {
        page_show(stage, title, &stage->page);
        return;
    }
    for (int i = 0; i < stage->page.count; i++)
        stage_say(stage, stage->page.texts[i]);
}
