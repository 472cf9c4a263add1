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
    int first = first_shown(pick);

    stage_paint_frame(stage, pick->title, "Up/Down, Enter choose  Esc back");
    if (pick->detail != NULL)
        paint_text(2, 2, COLS - 4, theme_faint(theme), pick->detail);
    for (int i = first; i < pick->count && i < first + rows_shown(); i++)
        paint_format(FIRST_ROW + i - first, 2, COLS - 4, i == pick->at ? text | A_REVERSE : text,
                     "%s %s ", i == pick->at ? ">" : " ", pick->labels[i]);
    paint_rows(LINES - 3, 2, COLS - 4, 2, text, said_or_chosen(stage, pick));
}

/* Moves to the row under the mouse, if there is one. */
static bool click(const struct stage *stage, struct pick *pick)
{
    int row = stage->mouse_y - FIRST_ROW + first_shown(pick);

    if (stage->mouse_y < FIRST_ROW || row >= pick->count)
        return false;
    pick->at = row;
    return true;
}

static void move_by(struct pick *pick, int rows)
{
    pick->at += rows;
    if (pick->at < 0)
        pick->at = pick->count - 1;
    if (pick->at >= pick->count)
        pick->at = 0;
}

static bool is_outdated(const struct stage *stage, const struct pick *pick)
{
    return pick->until_said && pick->said != stage->log.lines.total;
}

/* Handles a key; true when it chooses a row, or the rows may be out of date. */
static bool take_key(struct stage *stage, void *context, int key)
{
    struct pick *pick = context;

    if (key == FN(KEY_UP) || key == WHEEL_UP)
        move_by(pick, -1);
    else if (key == FN(KEY_DOWN) || key == '\t' || key == WHEEL_DOWN)
        move_by(pick, 1);
    else if (key == FN(KEY_HOME))
        pick->at = 0;
    else if (key == FN(KEY_END) && pick->count > 0)
        pick->at = pick->count - 1;
    else if (key == ENTER_KEY && pick->count > 0)
        return true;
    else if (key == FN(KEY_MOUSE) && click(stage, pick))
        return true;
    return is_outdated(stage, pick);
}

int pick_run(struct stage *stage, struct pick *pick)
{
    pick->said = stage->log.lines.total;
    bool done = stage_run(stage, paint, take_key, pick);
    return done && !is_outdated(stage, pick) ? pick->at : -1;
}
