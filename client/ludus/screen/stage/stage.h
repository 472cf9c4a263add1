/*
 * The full screen as a whole: what all its parts share, the front of the client (term/console.h),
 * and the bar of keys in the last row. The part on top paints itself and takes one press after the
 * other.
 */
#ifndef LUDUS_SCREEN_STAGE_H
#define LUDUS_SCREEN_STAGE_H

#include <stdbool.h>

#include "client/ludus/talk/client.h"
#include "client/ludus/talk/play.h"
#include "client/ludus/talk/record.h"
#include "keys.h"
#include "lines.h"
#include "paint.h"

/* From now on client_wait() returns each second at the latest. Where the system has no timers it
 * does not. Only one part at a time may tick. */
void ticker_start(struct client *client);
void ticker_stop(struct client *client);

struct bar {
    struct {
        int x, width;
    } items[ACTIONS]; /* as last painted; width 0: not there */
};

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
    bool asks;               /* y and n answer a question now */
    const struct part *below;
};

struct move_tree; /* talk/move_tree.h */

struct stage {
    struct client *client;
    struct front front;
    struct theme theme;
    const struct part *top;     /* borrowed */
    const struct part *clicked; /* the part that the last click went to */
    struct bar bar;
    /* Show the pages of F1 and F2. Set where the full screen is put together. */
    void (*show_keys)(struct stage *stage);
    void (*show_rules)(struct stage *stage, const struct game *game);
    bool helping;
    char notice[NOTICE_MAX]; /* shown until the next key */
    char
        trouble[TROUBLE_MAX]; /* shown while the connection has it; "": none at the last painting */
    struct keyboard keyboard;
    struct said log;   /* everything that was said */
    long seen;         /* its number of lines at the last key */
    struct lines page; /* what is said while `paging` */
    bool paging;
    bool interrupted;              /* the next Ctrl-C ends the program */
    bool asks_to_quit;             /* the question whether to end the program is due */
    char tournament[MATCH_ID_MAX]; /* whose table is back after a match; "": none */
    struct first_game first;       /* what "Play now" opens, */
    int64_t first_ms;              /* chosen on the connection of then; 0: to be chosen anew */
    int menu_at; /* the row of the start menu, not counting those that wait for the player; -1: one
                    of these, */
    char menu_row[MATCH_ID_MAX + 8]; /* which has this command; "": the first row, whatever it is */
    struct played played;            /* the moves of the match shown */
    int first_ply;                   /* at which it came to the screen */
    struct move_tree *analysis;      /* owned: the last one; NULL: none */
    int pace_ms;                     /* between moves that the program plays back */
    int64_t wake_ms;                 /* by clock_ms(): stage_key() returns then, once; 0: never */
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

/* Asks a question over what is on the screen, which only y answers with yes. Any key but y, n and
 * those that lead back ends the question and does its own work. */
bool stage_confirm(struct stage *stage, const char *question);

/* Clears the screen and paints a title. */
void stage_paint_frame(const struct stage *stage, const char *title);

/* Waits until something happens and returns the next press, NO_KEY when it was none. Help, rules,
 * colours, symbols and the bell are done here for all parts, which see NO_KEY and `done` then. */
struct press stage_key(struct stage *stage);

/* Shows a sentence until the next key. */
void stage_notice(struct stage *stage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether modal parts must end: the program ends, or a match has come. */
bool stage_is_over(const struct stage *stage);

/* Says something in the match on the screen, or in the menu. */
void stage_say(struct stage *stage, const char *line);

/* What is wrong with the connection, or else the notice, or the last line said since the last key,
 * or "". */
const char *stage_new_line(const struct stage *stage);

/* Paints the new line in the rows above the bar; false when there is none. */
bool stage_paint_line(const struct stage *stage);

/* Collects what is said for a page, until page_end() (dialog.h). */
void stage_begin_page(struct stage *stage);

#endif
