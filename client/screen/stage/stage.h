/*
 * The full screen as a whole: what all its parts share, the front of the client (term/console.h),
 * and the keys. A part paints itself by its painter, and takes one key after the other.
 */
#ifndef LUDUS_SCREEN_STAGE_H
#define LUDUS_SCREEN_STAGE_H

#include <stdbool.h>

#include "client/model/played.h"
#include "client/talk/client.h"
#include "lines.h"
#include "theme.h"

enum { KEYS_MAX = 64, SCREEN_HEIGHT_MIN = 16, SCREEN_WIDTH_MIN = 40 };

/* A key is a character, a key of curses as FN(KEY_...), or NO_KEY. */
#define FN(key)   (-(key))
#define CTRL(key) ((key)&0x1f)
enum { NO_KEY = 0, ESCAPE_KEY = 27, ENTER_KEY = '\r' };
/* The mouse wheel, as the scroll keys of terminals. */
enum { WHEEL_UP = FN(KEY_SR), WHEEL_DOWN = FN(KEY_SF) };

struct stage;

/* Paints a part, on an empty screen or over what is below it. */
struct painter {
    void (*paint)(struct stage *stage, void *context);
    void *context;
    const struct painter *below; /* painted first; NULL: nothing */
};

struct stage {
    struct client *client;
    struct front front;
    struct theme theme;
    const struct painter *painter; /* the top one, borrowed */
    int keys[KEYS_MAX];            /* read and not taken yet */
    int key_count;
    int mouse_y, mouse_x; /* of the last KEY_MOUSE */
    struct said log;      /* everything that was said */
    long seen;            /* its number of lines at the last key */
    struct lines page;    /* what is said while `paging` */
    bool paging;
    bool interrupted;     /* the next Ctrl-C ends the program */
    int menu_at;          /* the row of the start menu, not counting those that come and go */
    struct played played; /* the moves of the match shown */
};

/* Takes the terminal; stage_close() gives it back. NULL, with nothing changed, when it is not
 * suitable. */
struct stage *stage_open(struct client *client);
void stage_close(struct stage *stage);

/* Put a painter on top, and take it off. */
void stage_push(struct stage *stage, struct painter *painter);
void stage_pop(struct stage *stage);

/* Shows a part on top, and hands it key after key (NO_KEY after anything else) until take() returns
 * true, the player types Escape, a match comes or the program ends. Returns whether take() ended
 * it. */
bool stage_run(struct stage *stage, void (*paint)(struct stage *stage, void *context),
               bool (*take)(struct stage *stage, void *context, int key), void *context);

/* Clears the screen and paints a title and, in the last row, the keys. */
void stage_paint_frame(const struct stage *stage, const char *title, const char *keys);

/* Change the colours, or between symbols and letters for pieces, and save that. Return the name of
 * the colours, and whether pieces are symbols now. */
const char *stage_change_theme(struct stage *stage);
bool stage_change_symbols(struct stage *stage);

/* Waits until something happens and returns the next key; NO_KEY when it was no key. */
int stage_key(struct stage *stage);

/* Whether modal parts must end: the program ends, or a match has come. */
bool stage_is_over(const struct stage *stage);

/* Says something in the match on the screen, or in the menu. */
void stage_say(struct stage *stage, const char *line);

/* The last line said since the last key, or "". */
const char *stage_new_line(const struct stage *stage);

/* Collects what is said for a page, until page_end() (page.h). */
void stage_begin_page(struct stage *stage);

#endif
