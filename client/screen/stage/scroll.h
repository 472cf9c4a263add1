/* Scrolling: which rows of many are shown. */
#ifndef LUDUS_SCREEN_SCROLL_H
#define LUDUS_SCREEN_SCROLL_H

#include "keys.h"

/* Returns the first row to show after an action, of `count` rows of which `shown` fit on the screen
 * and `top` was the first; `top` is unchanged by actions that do not scroll, as far as there still
 * are so many rows. */
int scroll_top(int top, enum action action, int count, int shown);

#endif
