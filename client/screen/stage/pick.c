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

/* Those that fit: below them are two rows for a message, and one that tells of more. */
static int rows_shown(const struct pick *pick)
{
    int rows = LINES - FIRST_ROW - 3;

    return pick->count > rows ? rows - 1 : rows;
}

/* The first row shown, with the cursor in view. */
static int first_shown(const struct pick *pick)
{
    return pick->at >= rows_shown(pick) ? pick->at - rows_shown(pick) + 1 : 0;
}

/* The last message, or else the chosen row if it is cut above. */
static const char *said_or_chosen(const struct stage *stage, const struct pick *pick)
{
    const char *label = pick->count > 0 ? pick->labels[pick->at] : "";

    if (stage_new_line(stage)[0] != '\0')
        return stage_new_line(stage);
    return wrap_columns(label, strlen(label)) + 5 > COLS - 4 ? label : "";
}

/* Tells of rows above and below those that are shown. */
static void paint_more(const struct stage *stage, const struct pick *pick, int first)
{
    attr_t ink = theme_faint(&stage->theme);
    int below = pick->count - first - rows_shown(pick);

    if (first > 0)
        paint_format(FIRST_ROW - 1, 2, COLS - 4, ink, "  (%d more above)", first);
    if (below > 0)
        paint_format(FIRST_ROW + rows_shown(pick), 2, COLS - 4, ink, "  (%d more below)", below);
}

static void paint(struct stage *stage, void *context)
{
    const struct pick *pick = context;
    const struct theme *theme = &stage->theme;
    attr_t text = theme_text(theme);
    int first = first_shown(pick);

    stage_paint_frame(stage, pick->title);
    if (pick->detail != NULL)
        paint_rows(2, 2, COLS - 4, first > 0 ? 1 : 2, theme_faint(theme), pick->detail);
    for (int i = first; i < pick->count && i < first + rows_shown(pick); i++)
        paint_format(FIRST_ROW + i - first, 2, COLS - 4, i == pick->at ? text | A_REVERSE : text,
                     "%c %s %s ", keys_digit(i), i == pick->at ? ">" : " ", pick->labels[i]);
    paint_more(stage, pick, first);
    paint_rows(LINES - 3, 2, COLS - 4, 2, text, said_or_chosen(stage, pick));
}

/* Moves to the row under the mouse, if there is one. */
static bool click(const struct stage *stage, struct pick *pick)
{
    int row = stage->keyboard.mouse_y - FIRST_ROW + first_shown(pick);

    if (stage->keyboard.mouse_y < FIRST_ROW ||
        stage->keyboard.mouse_y >= FIRST_ROW + rows_shown(pick) || row >= pick->count)
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

/* The rows that an action moves the cursor by. */
static int rows_of(const struct pick *pick, enum action action)
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
static bool chooses(const struct stage *stage, struct pick *pick, struct press press)
{
    if (press.action == ACTION_CLICK)
        return click(stage, pick);
    if (press.action == ACTION_PICK && press.index < pick->count) {
        pick->at = press.index;
        return true;
    }
    return press.action == ACTION_CHOOSE;
}

/* Handles a press; true when it chooses a row, or the rows may be out of date. */
static bool take(struct stage *stage, void *context, struct press press)
{
    struct pick *pick = context;

    if (pick->count > 0) {
        move_by(pick, rows_of(pick, press.action));
        if (chooses(stage, pick, press))
            return true;
    }
    return is_outdated(stage, pick);
}

/* The start menu has a row for leaving. */
static const char *word(const struct stage *stage, const void *context, enum action action)
{
    const struct pick *pick = context;

    (void)stage;
    return action == ACTION_BACK && pick->top ? NULL : key_rows[action].word;
}

int pick_run(struct stage *stage, struct pick *pick)
{
    struct part part = {.place = IN_MENU,
                        .paint = paint,
                        .take = take,
                        .word = word,
                        .context = pick,
                        .top = pick->top};

    pick->said = stage->log.lines.total;
    bool done = stage_run(stage, &part);
    if (!done && !stage_is_over(stage))
        return PICK_BACK;
    return done && !is_outdated(stage, pick) ? pick->at : PICK_NONE;
}
