/*
 * A front shows the client to a person in another way than lines. Without one (NULL) the client
 * writes and reads lines.
 *
 * A front reads the keys and owns the terminal. Text that would be written as lines goes to text().
 * The functions are called between two waits, never from a signal handler.
 */
#ifndef LUDUS_FRONT_H
#define LUDUS_FRONT_H

struct match_state;

struct front {
    void *context; /* the first argument of all functions */

    /* Takes any piece of text, with its line ends. */
    void (*text)(void *context, const char *text);
    /* Keeps a chat line for a match that is not on the screen. */
    void (*heard)(void *context, const char *match, const char *from, const char *text);
    /* A state of the match on the screen has come; `before` is the one until now. */
    void (*show)(void *context, const struct match_state *before);

    /* Rings the bell. */
    void (*ring)(void *context);

    /* Brings changes to the screen; called before each wait. */
    void (*paint)(void *context);
    /* Milliseconds until paint() is due anyway; -1: not before something happens. */
    int (*due_ms)(void *context);

    /* Standard input is readable. A key also resets client->interrupts. */
    void (*keys)(void *context);
    void (*interrupt)(void *context); /* Ctrl-C */
    void (*resize)(void *context);    /* the terminal has a new size */
    /* The program is suspended: restores the terminal until resume(). */
    void (*suspend)(void *context);
    void (*resume)(void *context);
    /* Restores the terminal for good; lines are written again. */
    void (*leave)(void *context);
};

#endif
