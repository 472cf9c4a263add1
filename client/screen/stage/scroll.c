#include "scroll.h"

enum { WHEEL_ROWS = 3 };

/* The rows that an action scrolls by; any number beyond the ends. */
static int rows_of(enum action action, int count, int shown)
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

    top += rows_of(action, count, shown);
    if (top > last)
        top = last;
    return top > 0 ? top : 0;
}
