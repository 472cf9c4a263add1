#include "page.h"

#include "paint.h"
#include "scroll.h"

enum { FIRST_ROW = 2 };

struct page {
    const char *title;
    const struct lines *lines;
    const struct page_pictures *pictures; /* NULL: none */
    int top, rows;                        /* the first row shown, and all rows when last painted */
    bool clickable;
    int clicked; /* a line, or -1 */
};

static int body_height(void)
{
    return LINES - 4;
}

/* Paints a row of a picture if it is in view. */
static void paint_picture(const struct stage *stage, const struct page *page, int row,
                          const char *text)
{
    int y = row - page->top;

    if (y >= 0 && y < body_height())
        page->pictures->paint(stage, page->pictures->context, FIRST_ROW + y, 1, text);
}

/* Paints the rows of a line that are in view; `row` is its first. Returns its rows. */
static int paint_line(const struct stage *stage, const struct page *page, int row, const char *text)
{
    attr_t ink = theme_text(&stage->theme);

    if (page->pictures != NULL && text[0] == page->pictures->mark) {
        paint_picture(stage, page, row, text);
        return 1;
    }
    int rows = paint_rows(0, 0, COLS - 2, 0, ink, text);
    int skip = row < page->top ? page->top - row : 0, y = FIRST_ROW + row + skip - page->top;

    paint_rows_behind(&(struct area){y, 1, COLS - 2, FIRST_ROW + body_height() - y}, skip, ink,
                      text);
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
        page->rows += paint_line(stage, page, page->rows, page->lines->texts[i]);
    int below = page->rows - page->top - body_height();
    if (below > 0)
        paint_format(LINES - 2, 1, COLS - 2, theme_faint(&stage->theme), "(%d more row%s below)",
                     below, below == 1 ? "" : "s");
    stage_paint_line(stage);
}

/* The line under the mouse, or -1. */
static int line_at(const struct page *page, int y)
{
    int row = y - FIRST_ROW + page->top, count = 0;

    if (y < FIRST_ROW || y >= FIRST_ROW + body_height())
        return -1;
    for (int i = 0; i < page->lines->count; i++) {
        int rows = paint_rows(0, 0, COLS - 2, 0, A_NORMAL, page->lines->texts[i]);
        count += rows > 0 ? rows : 1;
        if (row < count)
            return i;
    }
    return -1;
}

static bool take(struct stage *stage, void *context, struct press press)
{
    struct page *page = context;

    page->top = scroll_top(page->top, press.action, page->rows, body_height());
    if (press.action == ACTION_CLICK && page->clickable)
        page->clicked = line_at(page, stage->keyboard.mouse_y);
    return press.action == ACTION_CHOOSE || page->clicked >= 0;
}

/* The bar of a page that can be scrolled has PgDn in place of Enter. */
static const char *word(const struct stage *stage, const void *context, enum action action)
{
    const struct page *page = context;
    bool scrolls = page->rows > body_height();

    (void)stage;
    if (action == ACTION_CHOOSE)
        return scrolls ? NULL : "close";
    if (action == ACTION_PAGE_DOWN)
        return scrolls ? "scroll" : NULL;
    return key_rows[action].word;
}

static int show(struct stage *stage, struct page *page)
{
    page->clicked = -1;
    stage_run(stage,
              &(struct part){
                  .place = IN_PAGE, .paint = paint, .take = take, .word = word, .context = page});
    return page->clicked;
}

void page_show(struct stage *stage, const char *title, const struct lines *lines)
{
    show(stage, &(struct page){.title = title, .lines = lines});
}

void page_show_pictures(struct stage *stage, const char *title, const struct lines *lines,
                        const struct page_pictures *pictures)
{
    show(stage, &(struct page){.title = title, .lines = lines, .pictures = pictures});
}

int page_click(struct stage *stage, const char *title, const struct lines *lines)
{
    return show(stage, &(struct page){.title = title, .lines = lines, .clickable = true});
}

void page_end(struct stage *stage, const char *title, int few, int width)
{
    int rows = 0;

    stage->paging = false;
    for (int i = 0; i < stage->page.count; i++)
        rows += paint_rows(0, 0, width, 0, A_NORMAL, stage->page.texts[i]);
    if (rows > few) {
        page_show(stage, title, &stage->page);
        return;
    }
    for (int i = 0; i < stage->page.count; i++)
        stage_say(stage, stage->page.texts[i]);
}
