/* A text to scroll through. */
#ifndef LUDUS_SCREEN_PAGE_H
#define LUDUS_SCREEN_PAGE_H

#include "stage.h"

/* Shows the lines, wrapped, until the player closes it. */
void page_show(struct stage *stage, const char *title, const struct lines *lines);

/* Rows of pictures among the lines: paint() paints a line that begins with `mark`, as one row. */
struct page_pictures {
    char mark;
    void (*paint)(const struct stage *stage, const void *context, int y, int x, const char *line);
    const void *context;
};

/* Shows the lines as page_show() does, with pictures. */
void page_show_pictures(struct stage *stage, const char *title, const struct lines *lines,
                        const struct page_pictures *pictures);

/* Shows the lines as page_show() does. Returns the index of the line that was clicked on; -1 when
 * none was. */
int page_click(struct stage *stage, const char *title, const struct lines *lines);

/* Ends stage_begin_page(): shows the page if it would have more than `few` rows of `width` columns,
 * else adds its lines to the log. */
void page_end(struct stage *stage, const char *title, int few, int width);

#endif
