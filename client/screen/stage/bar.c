#include "bar.h"

#include <stdio.h>
#include <string.h>

#include "client/term/wrap.h"
#include "paint.h"

enum { MARGIN = 1, GAP = 2, ITEM_MAX = 64 };

void bar_paint(struct bar *bar, const struct theme *theme, const char *const words[ACTIONS])
{
    char item[ITEM_MAX];
    int x = MARGIN;

    *bar = (struct bar){.items = {{0, 0}}};
    for (enum action action = ACTION_BACK; action < ACTIONS; action++) {
        if (words[action] == NULL || words[action][0] == '\0')
            continue;
        snprintf(item, sizeof item, "%s %s", key_rows[action].label, words[action]);
        int width = wrap_columns(item, strlen(item));
        if (x + width > COLS - MARGIN)
            continue;
        paint_text(LINES - 1, x, width, theme_faint(theme), item);
        bar->items[action].x = x;
        bar->items[action].width = width;
        x += width + GAP;
    }
}

enum action bar_action(const struct bar *bar, int x)
{
    for (enum action action = ACTION_BACK; action < ACTIONS; action++)
        if (x >= bar->items[action].x && x < bar->items[action].x + bar->items[action].width)
            return action;
    return ACTION_NONE;
}
