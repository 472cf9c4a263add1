/*
 * The client shown to a person otherwise than line by line: what the conversation with the server
 * tells it, and asks of it. Without one (NULL) the client writes lines and reads lines.
 *
 * A front reads the keys and owns the terminal. What the shared code would have written as lines
 * comes to text(); everything is called between two waits, never from a signal handler.
 */
#ifndef LUDUS_FRONT_H
#define LUDUS_FRONT_H

struct match_state;

struct front {
    void *context; /* the first argument of all functions */

    /* What would be written: any piece of text, with its line ends. */
    void (*text)(void *context, const char *text);
    /* Something was said in a match that is not on the screen: it is to stand there later. */
    void (*heard)(void *context, const char *match, const char *from, const char *text);
    /* A state of the match on the screen has come; `before` is the view until now. */
    void (*show)(void *context, const struct match_state *before);

    /* Rings the bell of the terminal. */
    void (*ring)(void *context);

    /* Before each wait: brings to the screen what has changed. */
    void (*paint)(void *context);
    /* Milliseconds until paint() is to be called anyway; -1: when something happens. */
    int (*due_ms)(void *context);

    /* Standard input can be read; a key also ends a row of client->interrupts. */
    void (*keys)(void *context);
    void (*interrupt)(void *context); /* Ctrl-C */
    void (*resize)(void *context);    /* the terminal has another size */
    /* The program stops: the terminal gets its usual ways back until it goes on. */
    void (*suspend)(void *context);
    void (*resume)(void *context);
    /* Gives the terminal back for good: lines are written again. */
    void (*leave)(void *context);
};

#endif
