/* The last row of the screen: the keys that count now, each with a word, to be clicked on. */
#ifndef LUDUS_SCREEN_BAR_H
#define LUDUS_SCREEN_BAR_H

#include "keys.h"
#include "theme.h"

struct bar {
    struct {
        int x, width;
    } items[ACTIONS]; /* as last painted; width 0: not there */
};

/* Paints the keys of all actions that have a word; NULL and "" have none. Where the row is full,
 * the last ones are left out. */
void bar_paint(struct bar *bar, const struct theme *theme, const char *const words[ACTIONS]);

/* The action at that column, or ACTION_NONE. */
enum action bar_action(const struct bar *bar, int x);

#endif
