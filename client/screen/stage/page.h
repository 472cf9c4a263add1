/* A text to scroll through. */
#ifndef LUDUS_SCREEN_PAGE_H
#define LUDUS_SCREEN_PAGE_H

#include "stage.h"

/* Shows the lines, wrapped, until the player closes it. */
void page_show(struct stage *stage, const char *title, const struct lines *lines);

/* Shows the lines as page_show() does. Returns the index of the line that was clicked on; -1 when
 * none was. */
int page_click(struct stage *stage, const char *title, const struct lines *lines);

/* Ends stage_begin_page(): shows the page if it would have more than `few` rows of `width` columns,
 * else adds its lines to the log. */
void page_end(struct stage *stage, const char *title, int few, int width);

#endif
