/*
 * Standard output: lines of text, wrapped on a terminal, and lists from the server as rows: aligned
 * columns with titles for people, tab-separated fields for programs. A prompt on the screen is
 * taken off first. A pipe gets plain text without control characters.
 */
#ifndef LUDUS_CONSOLE_H
#define LUDUS_CONSOLE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "input.h"

struct match_state;
struct names;

enum front_event {
    FRONT_RING,      /* ring the bell */
    FRONT_INTERRUPT, /* Ctrl-C */
    FRONT_ASK_TO_QUIT,
    FRONT_RESIZE,  /* the terminal has a new size */
    FRONT_SUSPEND, /* the program stops: restore the terminal until FRONT_RESUME */
    FRONT_RESUME,
    FRONT_LEAVE /* restore the terminal for good; lines are written again */
};

/*
 * A front shows the client to a person in another way than lines. Without one (NULL) the client
 * writes and reads lines.
 *
 * A front reads the keys and owns the terminal. Text that would be written as lines goes to text().
 * The functions are called between two waits, never from a signal handler.
 */
struct front {
    void *context; /* the first argument of all functions */

    /* Takes any piece of text, with its line ends. */
    void (*text)(void *context, const char *text);
    /* Keeps a chat line for a match that is not on the screen. */
    void (*heard)(void *context, const char *match, const char *from, const char *text);
    /* A state of the match on the screen has come; `before` is the one until now. */
    void (*show)(void *context, const struct match_state *before);

    /* Brings changes to the screen; called before each wait. */
    void (*paint)(void *context);
    /* When paint() is due anyway, by clock_ms(); INT64_MAX: not before something happens. */
    int64_t (*due_ms)(void *context);

    /* Standard input is readable. A key also resets client->interrupts. */
    void (*keys)(void *context);
    void (*event)(void *context, enum front_event event);
};

struct console {
    struct input *input;       /* borrowed: has the prompt */
    const struct front *front; /* borrowed: gets all text instead; NULL: nobody */
    const struct names *names; /* borrowed: by which people see players; they change meanwhile */
    bool color;
};

void console_open(struct console *console, struct input *input, const struct names *names);

/* Writes one or more lines and adds the last line end. On a terminal long lines break at spaces and
 * continue indented. */
void console_say(struct console *console, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes text as it is: boards, and lines to be copied. */
void console_text(struct console *console, const char *text);

/* Prints an array of objects; `fields` names their members, separated by spaces. `aligned` is for
 * people: where the terminal is narrow, less important columns are left out and names are cut, but
 * no date, game or number. They see players by their display names, in lists of players with the
 * name to type behind it. */
void columns_print(struct console *console, const cJSON *rows, const char *fields, bool aligned);

/* Prints one object, with tabs between the fields. */
void columns_print_row(struct console *console, const cJSON *row, const char *fields);

/* Says "(200 of 214 players)" when the server has cut that list of its reply. */
void columns_print_rest(struct console *console, const cJSON *reply, const char *list);

#endif
