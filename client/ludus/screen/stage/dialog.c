#include "dialog.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wchar.h>
#include <wctype.h>

#include "client/ludus/term/wrap.h"
#include "common/xmalloc.h"
#include "paint.h"

enum { WHEEL_ROWS = 3 };

/* The rows that an action scrolls by; any number beyond the ends. */
static int scroll_rows_of(enum action action, int count, int shown)
{
    switch (action) {
    case ACTION_UP:
        return -1;
    case ACTION_DOWN:
        return 1;
    case ACTION_WHEEL_UP:
        return -WHEEL_ROWS;
    case ACTION_WHEEL_DOWN:
        return WHEEL_ROWS;
    case ACTION_PAGE_UP:
        return -shown;
    case ACTION_PAGE_DOWN:
        return shown;
    case ACTION_FIRST:
        return -count;
    case ACTION_LAST:
        return count;
    default:
        return 0;
    }
}

int scroll_top(int top, enum action action, int count, int shown)
{
    int last = count > shown ? count - shown : 0;

    top += scroll_rows_of(action, count, shown);
    if (top > last)
        top = last;
    return top > 0 ? top : 0;
}

enum { PICK_ROW = 4 };

void pick_add(struct pick *pick, const char *format, ...)
{
    char label[2 * PICK_LABEL_MAX];
    va_list args;

    if (pick->count == PICK_MAX)
        return;
    va_start(args, format);
    vsnprintf(label, sizeof label, text_translated(format), args);
    va_end(args);
    wrap_cut(label, INT_MAX, pick->labels[pick->count++], PICK_LABEL_MAX);
}

enum { GROUP_WIDTH = 7, GROUPED_COLS_MIN = 60 }; /* of the groups, and of a screen that has them */

static int label_x(const struct pick *pick)
{
    return pick->keyed && COLS >= GROUPED_COLS_MIN ? 2 + GROUP_WIDTH : 2;
}

/* The screen row of the first one. Rows with keys of their own come right below the detail, if all
 * of them are in view then, be it that a message covers the last. */
static int pick_y(const struct pick *pick)
{
    bool short_detail =
        pick->detail != NULL && wrap_columns(pick->detail, strlen(pick->detail)) <= COLS - 4;

    return pick->keyed && short_detail && pick->count <= LINES - PICK_ROW ? PICK_ROW - 1 : PICK_ROW;
}

/* Those that fit: below them are two rows for a message, none where all rows come so close to the
 * detail; and one row tells of more. */
static int rows_shown(const struct pick *pick)
{
    int y = pick_y(pick), rows = LINES - y - (y < PICK_ROW ? 1 : 3);

    return pick->count > rows ? rows - 1 : rows;
}

/* The key that chooses a row. */
static char key_of(const struct pick *pick, int index)
{
    return pick->keyed ? pick->keys[index] : keys_digit(index);
}

/* The first row shown, with the cursor in view. */
static int first_shown(const struct pick *pick)
{
    return pick->at >= rows_shown(pick) ? pick->at - rows_shown(pick) + 1 : 0;
}

/* The column behind the list. */
static int list_end(const struct pick *pick)
{
    return pick->aside_x > 0 && COLS >= pick->aside_columns ? pick->aside_x : COLS;
}

/* The last message, or else the chosen row if it is cut above. */
static const char *said_or_chosen(const struct stage *stage, const struct pick *pick)
{
    const char *label = pick->count > 0 ? pick->labels[pick->at] : "";

    if (stage_new_line(stage)[0] != '\0')
        return stage_new_line(stage);
    return label_x(pick) + wrap_columns(label, strlen(label)) + 5 > list_end(pick) - 2 ? label : "";
}

/* Paints the message above the bar, over the last row of the list where it needs two. */
static void paint_pick_message(const struct stage *stage, const char *message)
{
    int rows = paint_rows(0, 0, COLS - 4, 0, A_NORMAL, message);

    if (message[0] == '\0')
        return;
    for (int y = rows > 1 ? LINES - 3 : LINES - 2; y < LINES - 1; y++)
        paint_blank(y, 0, COLS, theme_text(&stage->theme));
    paint_rows(rows > 1 ? LINES - 3 : LINES - 2, 2, COLS - 4, 2, theme_text(&stage->theme),
               message);
}

static void paint_pick(struct stage *stage, void *context)
{
    const struct pick *pick = context;
    const struct theme *theme = &stage->theme;
    attr_t text = theme_text(theme), faint = theme_faint(theme);
    int first = first_shown(pick), top = pick_y(pick), x = label_x(pick);

    stage_paint_frame(stage, pick->title);
    if (pick->detail != NULL)
        paint_rows(2, 2, COLS - 4, first > 0 ? 1 : top - 2, faint, pick->detail);
    for (int i = first; i < pick->count && i < first + rows_shown(pick); i++) {
        if (x > 2 && pick->groups[i] != NULL)
            paint_text(top + i - first, 2, GROUP_WIDTH, faint, pick->groups[i]);
        paint_format(top + i - first, x, list_end(pick) - x - 2,
                     i == pick->at ? text | A_REVERSE : text, "%c %s %s ", key_of(pick, i),
                     i == pick->at ? ">" : " ", pick->labels[i]);
    }
    /* Tell of rows above and below those that are shown. */
    int below = pick->count - first - rows_shown(pick);
    if (first > 0)
        paint_format(top - 1, 2, COLS - 4, faint, "  (%d more above)", first);
    if (below > 0)
        paint_format(top + rows_shown(pick), 2, COLS - 4, faint, "  (%d more below)", below);
    if (pick->aside_x > 0)
        pick->aside_paint(stage, pick->aside);
    if (pick->keyed)
        paint_pick_message(stage, said_or_chosen(stage, pick));
    else
        paint_rows(LINES - 3, 2, COLS - 4, 2, text, said_or_chosen(stage, pick));
}

static bool is_outdated(const struct stage *stage, const struct pick *pick)
{
    return pick->until_said && pick->said != stage->log.lines.total;
}

/* The rows that an action moves the cursor by. */
static int pick_rows_of(const struct pick *pick, enum action action)
{
    switch (action) {
    case ACTION_UP:
    case ACTION_WHEEL_UP:
    case ACTION_PREVIOUS:
        return -1;
    case ACTION_DOWN:
    case ACTION_WHEEL_DOWN:
    case ACTION_NEXT:
        return 1;
    case ACTION_PAGE_UP:
        return pick->at > rows_shown(pick) ? -rows_shown(pick) : -pick->at;
    case ACTION_PAGE_DOWN:
        return pick->count - 1 - pick->at < rows_shown(pick) ? pick->count - 1 - pick->at
                                                             : rows_shown(pick);
    case ACTION_FIRST:
        return -pick->at;
    case ACTION_LAST:
        return pick->count - 1 - pick->at;
    default:
        return 0;
    }
}

/* Whether the press chooses a row; the cursor is there then. */
static bool chooses_row(const struct stage *stage, struct pick *pick, struct press press)
{
    if (press.action == ACTION_CLICK) {
        /* Move to the row under the mouse, if there is one. */
        int row = stage->keyboard.mouse_y - pick_y(pick) + first_shown(pick);

        if (stage->keyboard.mouse_x >= list_end(pick) || stage->keyboard.mouse_y < pick_y(pick) ||
            stage->keyboard.mouse_y >= pick_y(pick) + rows_shown(pick) || row >= pick->count)
            return false;
        pick->at = row;
        return true;
    }
    if (press.action == ACTION_PICK && !pick->keyed && press.index < pick->count) {
        pick->at = press.index;
        return true;
    }
    return press.action == ACTION_CHOOSE;
}

/* Moves to the row whose own key was pressed. */
static bool takes_key(struct pick *pick, struct press press)
{
    const char *at = pick->keyed && !press.pasted && press.key > ' ' && press.key < 127
                         ? memchr(pick->keys, press.key, (size_t)pick->count)
                         : NULL;

    if (at != NULL)
        pick->at = (int)(at - pick->keys);
    return at != NULL;
}

/* Handles a press; true when it chooses a row, or the rows may be out of date. */
static bool take_pick_press(struct stage *stage, void *context, struct press press)
{
    struct pick *pick = context;

    if (press.key == NO_KEY && pick->aside_x > 0)
        pick->aside_tick(stage, pick->aside);
    pick->by_key = takes_key(pick, press);
    if (pick->by_key) {
        pick->chosen = true;
    } else if (pick->count > 0) {
        pick->at += pick_rows_of(pick, press.action);
        if (pick->at < 0)
            pick->at = pick->count - 1;
        if (pick->at >= pick->count)
            pick->at = 0;
        pick->chosen = chooses_row(stage, pick, press);
    }
    return pick->chosen || is_outdated(stage, pick);
}

/* The start menu has a row for leaving. */
static const char *pick_word(const struct stage *stage, const void *context, enum action action)
{
    const struct pick *pick = context;

    (void)stage;
    return action == ACTION_BACK && pick->top ? NULL : key_rows[action].word;
}

int pick_run(struct stage *stage, struct pick *pick)
{
    struct part part = {.place = IN_MENU,
                        .paint = paint_pick,
                        .take = take_pick_press,
                        .word = pick_word,
                        .context = pick};

    pick->chosen = false;
    pick->said = stage->log.lines.total;
    bool done = stage_run(stage, &part);
    if (!done && !stage_is_over(stage))
        return PICK_BACK;
    return done && pick->chosen ? pick->at : PICK_NONE;
}

enum { PAGE_ROW = 2 };

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

/* Paints the rows of a line that are in view; `row` is its first. Returns its rows. */
static int paint_page_line(const struct stage *stage, const struct page *page, int row,
                           const char *text)
{
    attr_t ink = theme_text(&stage->theme);

    if (page->pictures != NULL && text[0] == page->pictures->mark) {
        /* Paint a row of a picture if it is in view. */
        int y = row - page->top;
        if (y >= 0 && y < body_height())
            page->pictures->paint(stage, page->pictures->context, PAGE_ROW + y, 1, text);
        return 1;
    }
    int rows = paint_rows(0, 0, COLS - 2, 0, ink, text);
    int skip = row < page->top ? page->top - row : 0, y = PAGE_ROW + row + skip - page->top;

    paint_rows_behind(&(struct area){y, 1, COLS - 2, PAGE_ROW + body_height() - y}, skip, ink,
                      text);
    return rows > 0 ? rows : 1;
}

static void paint_page(struct stage *stage, void *context)
{
    struct page *page = context;
    attr_t ink = theme_text(&stage->theme);

    erase();
    paint_text(0, 1, COLS - 2, ink | A_BOLD, page->title);
    page->rows = 0;
    for (int i = 0; i < page->lines->count; i++)
        page->rows += paint_page_line(stage, page, page->rows, page->lines->texts[i]);
    int below = page->rows - page->top - body_height();
    if (below > 0)
        paint_format(
            LINES - 2, 1, COLS - 2, theme_faint(&stage->theme),
            text_counted("(%d more row below)", "(%d more rows below)", (unsigned long)below),
            below);
    stage_paint_line(stage);
}

/* The line under the mouse, or -1. */
static int line_at(const struct page *page, int y)
{
    int row = y - PAGE_ROW + page->top, count = 0;

    if (y < PAGE_ROW || y >= PAGE_ROW + body_height())
        return -1;
    for (int i = 0; i < page->lines->count; i++) {
        int rows = paint_rows(0, 0, COLS - 2, 0, A_NORMAL, page->lines->texts[i]);
        count += rows > 0 ? rows : 1;
        if (row < count)
            return i;
    }
    return -1;
}

static bool take_page_press(struct stage *stage, void *context, struct press press)
{
    struct page *page = context;

    page->top = scroll_top(page->top, press.action, page->rows, body_height());
    if (press.action == ACTION_CLICK && page->clickable)
        page->clicked = line_at(page, stage->keyboard.mouse_y);
    return press.action == ACTION_CHOOSE || page->clicked >= 0;
}

/* The bar of a page that can be scrolled has PgDn in place of Enter. */
static const char *page_word(const struct stage *stage, const void *context, enum action action)
{
    const struct page *page = context;
    bool scrolls = page->rows > body_height();

    (void)stage;
    if (action == ACTION_CHOOSE)
        return scrolls ? NULL : _("close");
    if (action == ACTION_PAGE_DOWN)
        return scrolls ? _("scroll") : NULL;
    return key_rows[action].word;
}

static int show_page(struct stage *stage, struct page *page)
{
    page->clicked = -1;
    stage_run(stage, &(struct part){.place = IN_PAGE,
                                    .paint = paint_page,
                                    .take = take_page_press,
                                    .word = page_word,
                                    .context = page});
    return page->clicked;
}

void page_show(struct stage *stage, const char *title, const struct lines *lines)
{
    show_page(stage, &(struct page){.title = title, .lines = lines});
}

void page_show_pictures(struct stage *stage, const char *title, const struct lines *lines,
                        const struct page_pictures *pictures)
{
    show_page(stage, &(struct page){.title = title, .lines = lines, .pictures = pictures});
}

int page_click(struct stage *stage, const char *title, const struct lines *lines)
{
    return show_page(stage, &(struct page){.title = title, .lines = lines, .clickable = true});
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

void page_notice(struct stage *stage)
{
    const struct lines *page = &stage->page;

    stage->paging = false;
    if (page->count > 0)
        stage_notice(stage, "%s", page->texts[page->count - 1]);
}

static void add_letter(struct edit *edit, wchar_t letter)
{
    char bytes[8];
    mbstate_t state = {0};
    size_t count = wcrtomb(bytes, letter, &state), used = strlen(edit->text);

    if (count >= sizeof bytes || used + count >= sizeof edit->text)
        return;
    memcpy(edit->text + used, bytes, count);
    edit->text[used + count] = '\0';
}

bool edit_take(struct edit *edit, int key)
{
    if (key == FN(KEY_BACKSPACE) || key == 127 || key == '\b') {
        /* Remove the last character, which may have several bytes. */
        size_t bytes = strlen(edit->text);

        while (bytes > 0 && ((unsigned char)edit->text[bytes - 1] & 0xc0) == 0x80)
            bytes--;
        edit->text[bytes > 0 ? bytes - 1 : 0] = '\0';
    } else if (key == CTRL('u'))
        edit->text[0] = '\0';
    else if (key >= ' ' && iswprint((wint_t)key))
        add_letter(edit, (wchar_t)key);
    else
        return false;
    return true;
}

const char *edit_take_line(struct edit *edit, char line[EDIT_BYTES_MAX])
{
    memcpy(line, edit->text, EDIT_BYTES_MAX);
    for (size_t end = strlen(line); end > 0 && line[end - 1] == ' ';)
        line[--end] = '\0';
    edit->text[0] = '\0';
    return line + strspn(line, " ");
}

void edit_paint(const struct edit *edit, const struct theme *theme, int y, int x, int width)
{
    attr_t ink = theme_text(theme);
    const char *text = edit->text;

    while (wrap_columns(text, strlen(text)) > width - 1 && *text != '\0')
        do
            text++;
        while (((unsigned char)*text & 0xc0) == 0x80);
    int columns = paint_text(y, x, width - 1, ink, text);
    paint_text(y, x + columns, 1, ink | A_REVERSE, " ");
}

/* Writes a name as the system has it: ~ is the home directory. */
static void expand_name(const char *name, char path[PATH_MAX])
{
    const char *home = getenv("HOME");
    bool at_home = name[0] == '~' && (name[1] == '/' || name[1] == '\0') && home != NULL;

    snprintf(path, PATH_MAX, "%s%s", at_home ? home : "", at_home ? name + 1 : name);
}

/* Whether a name can be typed in this locale. */
static bool is_typeable(const char *name)
{
    wchar_t wide[NAME_MAX + 1];
    size_t count = mbstowcs(wide, name, NAME_MAX + 1);

    for (size_t i = 0; count != (size_t)-1 && i < count; i++)
        if (!iswprint((wint_t)wide[i]))
            return false;
    return count != (size_t)-1 && count <= NAME_MAX;
}

/* Adds to a name what all files have in common that begin with it, and names them where there are
 * several. */
static void complete_name(struct stage *stage, struct edit *edit)
{
    char path[PATH_MAX], common[NAME_MAX + 1] = "", names[NOTICE_MAX] = "";
    const struct dirent *entry;
    int count = 0;

    expand_name(edit->text, path);
    char *slash = strrchr(path, '/');
    const char *begun = slash != NULL ? slash + 1 : path;
    size_t length = strlen(begun);
    char *folder = slash == NULL ? xstrdup(".") : xstrdup(path);
    if (slash != NULL)
        folder[slash - path + 1] = '\0';
    DIR *opened = opendir(folder);
    while (opened != NULL && (entry = readdir(opened)) != NULL) {
        const char *name = entry->d_name;
        if (strncmp(name, begun, length) != 0 || (name[0] == '.' && begun[0] != '.') ||
            !is_typeable(name))
            continue;
        size_t same = 0, used = strlen(names);
        while (name[same] != '\0' && name[same] == common[same])
            same++;
        if (count++ == 0)
            snprintf(common, sizeof common, "%s", name);
        else
            common[same] = '\0';
        snprintf(names + used, sizeof names - used, "%s%.200s", used > 0 ? "  " : "", name);
    }
    if (opened != NULL)
        closedir(opened);
    while (((unsigned char)common[strlen(common)] & 0xc0) == 0x80) /* no part of a character */
        common[strlen(common)] = '\0';
    if (count > 1 && strlen(common) == length)
        stage_notice(stage, "%s", names);
    else if (count == 0)
        stage_notice(stage, "No file begins like that.");
    size_t used = strlen(edit->text), more = strlen(common) > length ? strlen(common) - length : 0;
    if (used + more + 1 < EDIT_BYTES_MAX) {
        memcpy(edit->text + used, common + strlen(common) - more, more + 1);
        expand_name(edit->text, path);
        struct stat about;
        if (count == 1 && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
            memcpy(edit->text + strlen(edit->text), "/", 2);
    }
    free(folder);
}

struct line_question {
    const char *text;
    struct edit *edit;
    bool is_file;
};

static void paint_line_question(struct stage *stage, void *context)
{
    const struct line_question *question = context;
    attr_t ink = theme_text(&stage->theme);

    erase();
    paint_rows(1, 2, COLS - 4, 4, ink | A_BOLD, question->text);
    paint_text(6, 2, 2, ink, "> ");
    edit_paint(question->edit, &stage->theme, 6, 4, COLS - 6);
    stage_paint_line(stage);
}

static bool take_line_press(struct stage *stage, void *context, struct press press)
{
    const struct line_question *question = context;

    if (press.key == '\t' && question->is_file)
        complete_name(stage, question->edit);
    else if (press.action == ACTION_NONE)
        edit_take(question->edit, press.key);
    return press.action == ACTION_CHOOSE;
}

static const char *line_word(const struct stage *stage, const void *context, enum action action)
{
    (void)stage;
    (void)context;
    return action == ACTION_CHOOSE ? _("done") : key_rows[action].word;
}

static bool ask_line(struct stage *stage, struct line_question *question)
{
    struct part part = {.place = IN_LINE,
                        .paint = paint_line_question,
                        .take = take_line_press,
                        .word = line_word,
                        .context = question,
                        .typing = true};

    return stage_run(stage, &part);
}

bool edit_ask(struct stage *stage, const char *text, struct edit *edit)
{
    return ask_line(stage, &(struct line_question){.text = text, .edit = edit});
}

bool edit_ask_file(struct stage *stage, const char *text, struct edit *edit, char path[PATH_MAX])
{
    if (!ask_line(stage, &(struct line_question){.text = text, .edit = edit, .is_file = true}))
        return false;
    expand_name(edit->text, path);
    return true;
}
