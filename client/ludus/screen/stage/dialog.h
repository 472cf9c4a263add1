/* Dialogs that take the whole screen: a list to choose from, a text to scroll, a line to type. */
#ifndef LUDUS_SCREEN_DIALOG_H
#define LUDUS_SCREEN_DIALOG_H

#include <limits.h>

#include "keys.h"
#include "stage.h"

/* Returns the first row to show after an action, of `count` rows of which `shown` fit on the screen
 * and `top` was the first; actions that do not scroll change `top` only if the list has become
 * shorter. */
int scroll_top(int top, enum action action, int count, int shown);

enum { PICK_MAX = 64, PICK_LABEL_MAX = 384 }; /* rows; bytes with the final NUL */

struct pick {
    const char *title;
    const char *detail; /* below the title, or NULL */
    char labels[PICK_MAX][PICK_LABEL_MAX];
    int count;
    int at;          /* where the cursor is */
    bool until_said; /* also ends when something is said, as the rows may be out of date */
    bool chosen;     /* by the player; set by pick_run() */
    bool by_key;     /* by the row's own key; set by pick_run() */
    bool top;        /* there is nothing to go back to but the end, for which there is a row */
    long said;       /* lines said before it was shown; set by pick_run() */
    /* Where rows have keys of their own, nothing else is typed to choose one. */
    bool keyed;
    char keys[PICK_MAX];
    const char *groups[PICK_MAX]; /* borrowed, beside the first row of each; NULL for the others */
    /* What is shown at the right, from column aside_x on, on terminals of aside_columns or more. It
     * is told each time that the wait for a key ends without one. aside_x 0: nothing is shown. */
    int aside_x, aside_columns;
    void (*aside_paint)(const struct stage *stage, const void *context);
    void (*aside_tick)(struct stage *stage, void *context);
    void *aside;
};

/* Adds a formatted row, cut to fit, if there is room. */
void pick_add(struct pick *pick, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum { PICK_NONE = -1, PICK_BACK = -2 };
/* Shows the list. Returns the index chosen, even if something is said at the same time; PICK_BACK
 * when the player goes back, PICK_NONE when a match comes or the program ends, or by until_said. */
int pick_run(struct stage *stage, struct pick *pick);

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

/* Ends it with its last line, if it has any, as the notice; none is kept. */
void page_notice(struct stage *stage);

enum { EDIT_BYTES_MAX = 400 };

/* A zeroed one is empty. */
struct edit {
    char text[EDIT_BYTES_MAX]; /* in the encoding of the locale */
};

/* Takes a character, Backspace or Ctrl-U; false for other keys. */
bool edit_take(struct edit *edit, int key);

/* Moves the text to `line` and empties the field. Returns it without the blanks around it, which
 * are the line ends of what was pasted. */
const char *edit_take_line(struct edit *edit, char line[EDIT_BYTES_MAX]);

/* Paints the end of the text that fits, and the cursor. */
void edit_paint(const struct edit *edit, const struct theme *theme, int y, int x, int width);

/* Asks for a line on a screen of its own; edit->text is the default. False when the player cancels,
 * a match comes, or the program ends. */
bool edit_ask(struct stage *stage, const char *question, struct edit *edit);

/* Asks for the name of a file, as edit_ask() asks for a line; Tab completes it. `path` gets it with
 * the home directory in place of ~. */
bool edit_ask_file(struct stage *stage, const char *question, struct edit *edit,
                   char path[PATH_MAX]);

#endif
