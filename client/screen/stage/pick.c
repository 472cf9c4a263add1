#include "pick.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/term/wrap.h"
#include "paint.h"

enum { FIRST_ROW = 4 };

void pick_add(struct pick *pick, const char *format, ...)
{
    va_list args;

    if (pick->count == PICK_MAX)
        return;
    va_start(args, format);
    vsnprintf(pick->labels[pick->count++], PICK_LABEL_MAX, format, args);
    va_end(args);
}

static int rows_shown(void)
{
    return LINES - FIRST_ROW - 3;
}

/* The first row shown, with the cursor in view. */
static int first_shown(const struct pick *pick)
{
    return pick->at >= rows_shown() ? pick->at - rows_shown() + 1 : 0;
}

/* The last message, or else the chosen row if it is cut above. */
static const char *said_or_chosen(const struct stage *stage, const struct pick *pick)
{
    const char *label = pick->count > 0 ? pick->labels[pick->at] : "";

    if (stage_new_line(stage)[0] != '\0')
        return stage_new_line(stage);
    return wrap_columns(label, strlen(label)) + 3 > COLS - 4 ? label : "";
}

static void paint(struct stage *stage, void *context)
{
    const struct pick *pick = context;
    const struct theme *theme = &stage->theme;
    attr_t text = theme_text(theme);
    attr_t faint = theme_faint(theme);
    int first = first_shown(pick);

    erase();
    paint_text(1, 2, COLS - 4, text | A_BOLD, pick->title);
    if (pick->detail != NULL)
        paint_text(2, 2, COLS - 4, faint, pick->detail);
    for (int i = first; i < pick->count && i < first + rows_shown(); i++)
        paint_format(FIRST_ROW + i - first, 2, COLS - 4, i == pick->at ? text | A_REVERSE : text,
                     "%s %s ", i == pick->at ? ">" : " ", pick->labels[i]);
    paint_rows(LINES - 3, 2, COLS - 4, 2, text, said_or_chosen(stage, pick));
    paint_text(LINES - 1, 2, COLS - 4, faint, "Up/Down, Enter choose  Esc back");
}

/* The row under the mouse, or -1. */
static int row_clicked(const struct stage *stage, const struct pick *pick)
{
    int row = stage->mouse_y - FIRST_ROW + first_shown(pick);

    return stage->mouse_y >= FIRST_ROW && row < pick->count ? row : -1;
}

static void move_by(struct pick *pick, int rows)
{
    pick->at += rows;
    if (pick->at < 0)
        pick->at = pick->count - 1;
    if (pick->at >= pick->count)
        pick->at = 0;
}

/* The index that a key chooses; -1: none. */
static int take_key(struct stage *stage, struct pick *pick, int key)
{
    if (key == FN(KEY_UP) || key == WHEEL_UP)
        move_by(pick, -1);
    else if (key == FN(KEY_DOWN) || key == '\t' || key == WHEEL_DOWN)
        move_by(pick, 1);
    else if (key == FN(KEY_HOME))
        pick->at = 0;
    else if (key == FN(KEY_END) && pick->count > 0)
        pick->at = pick->count - 1;
    else if (key == ENTER_KEY && pick->count > 0)
        return pick->at;
    else if (key == FN(KEY_MOUSE))
        return row_clicked(stage, pick);
    return -1;
}

int pick_run(struct stage *stage, struct pick *pick)
{
    struct painter painter = {paint, pick, NULL};
    long said = stage->log.lines.total;
    int chosen = -1, key = NO_KEY;

    stage_push(stage, &painter);
    while (chosen < 0 && key != ESCAPE_KEY && !stage_is_over(stage) &&
           (!pick->until_said || said == stage->log.lines.total)) {
        key = stage_key(stage);
        chosen = take_key(stage, pick, key);
    }
    stage_pop(stage);
    return chosen;
}
