/*
 * The full screen as a whole: what all its parts share, the front of the client (term/console.h),
 * the keys and the bar. The part on top paints itself and takes one press after the other.
 */
#ifndef LUDUS_SCREEN_STAGE_H
#define LUDUS_SCREEN_STAGE_H

#include <stdbool.h>

#include "bar.h"
#include "client/model/played.h"
#include "client/talk/client.h"
#include "keyboard.h"
#include "lines.h"
#include "theme.h"

enum { SCREEN_HEIGHT_MIN = 16, SCREEN_WIDTH_MIN = 40, NOTICE_MAX = 256 };

struct stage;

/* A part of the full screen: what is on the screen, and takes the keys, while it is on top. */
struct part {
    unsigned place; /* bits of enum place; 0: takes no keys */

    /* Paints it, on an empty screen or over what is below it; the last row is the bar. */
    void (*paint)(struct stage *stage, void *context);

    /* Handles a press, for stage_run(); true ends the part. */
    bool (*take)(struct stage *stage, void *context, struct press press);

    /* The word of an action in the bar now; NULL or "" keeps it out. A NULL hook is that of the
     * table. */
    const char *(*word)(const struct stage *stage, const void *context, enum action action);

    void *context;
    const struct game *game; /* what F2 explains; NULL: as for the part below */
    bool typing;             /* characters are text now */
    bool top;                /* Escape goes nowhere from here */
    bool asks;               /* y and n answer a question now */
    const struct part *below;
};

struct stage {
    struct client *client;
    struct front front;
    struct theme theme;
    const struct part *top; /* borrowed */
    struct bar bar;
    /* Show the pages of F1 and F2. Set where the full screen is put together. */
    void (*show_keys)(struct stage *stage);
    void (*show_rules)(struct stage *stage, const struct game *game);
    bool helping;
    char notice[NOTICE_MAX]; /* shown until the next key */
    struct keyboard keyboard;
    struct said log;   /* everything that was said */
    long seen;         /* its number of lines at the last key */
    struct lines page; /* what is said while `paging` */
    bool paging;
    bool interrupted;              /* the next Ctrl-C ends the program */
    char tournament[MATCH_ID_MAX]; /* whose table is back after a match; "": none */
    int menu_at;          /* the row of the start menu, not counting those that come and go */
    struct played played; /* the moves of the match shown */
    int64_t wake_ms;      /* by clock_ms(): stage_key() returns then, once; 0: never */
};

/* Takes the terminal; stage_close() gives it back. NULL, with nothing changed, when it is not
 * suitable. */
struct stage *stage_open(struct client *client);
void stage_close(struct stage *stage);

/* Put a part on top, and take it off. */
void stage_push(struct stage *stage, struct part *part);
void stage_pop(struct stage *stage);

/* Shows a part on top, and hands it press after press (NO_KEY after anything else) until take()
 * returns true, the player goes back, a match comes or the program ends. Returns whether take()
 * ended it. */
bool stage_run(struct stage *stage, struct part *part);

/* Asks a question over what is on the screen, which only y answers with yes. */
bool stage_confirm(struct stage *stage, const char *question);

/* Clears the screen and paints a title. */
void stage_paint_frame(const struct stage *stage, const char *title);

/* Waits until something happens and returns the next press, NO_KEY when it was none. Help, rules,
 * colours, symbols and the bell are done here for all parts. */
struct press stage_key(struct stage *stage);

/* Shows a sentence until the next key. */
void stage_notice(struct stage *stage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether modal parts must end: the program ends, or a match has come. */
bool stage_is_over(const struct stage *stage);

/* Says something in the match on the screen, or in the menu. */
void stage_say(struct stage *stage, const char *line);

/* The notice, or else the last line said since the last key, or "". */
const char *stage_new_line(const struct stage *stage);

/* Paints the new line in the row above the bar; false when there is none. */
bool stage_paint_line(const struct stage *stage);

/* Collects what is said for a page, until page_end() (page.h). */
void stage_begin_page(struct stage *stage);

#endif
