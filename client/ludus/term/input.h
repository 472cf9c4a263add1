/*
 * Lines typed by a person or read from a pipe.
 *
 * On a terminal libedit edits the line and keeps a history; elsewhere (a pipe, a file, a terminal
 * without cursor movement) lines are read as they come. Either way the caller polls standard input,
 * calls input_read() when it is readable, and takes complete lines with input_take().
 *
 * Call input_hide() before writing anything else to standard output; input_show() then restores the
 * prompt and the text typed so far.
 */
#ifndef LUDUS_INPUT_H
#define LUDUS_INPUT_H

#include <stdbool.h>
#include <stddef.h>

enum { INPUT_LINE_MAX = 4096, PROMPT_MAX = 64 }; /* bytes with the final NUL */

/* Each mode can do what those before it can. */
enum input_mode {
    INPUT_READ,     /* from a pipe or a file */
    INPUT_TYPED,    /* standard input is a terminal: a person types */
    INPUT_PROMPTED, /* so is standard output: the prompt is shown while waiting */
    INPUT_EDITED    /* libedit edits the lines */
};

struct input {
    enum input_mode mode;
    bool ended;    /* end of input; complete lines may be left */
    bool shown;    /* the prompt is on the screen */
    bool has_line; /* editing: `line` has not been taken yet */
    char prompt[PROMPT_MAX];
    char line[INPUT_LINE_MAX];
    char pending[INPUT_LINE_MAX - 1]; /* not editing: bytes not taken yet */
    size_t pending_bytes;
    bool cut;            /* the rest of a line too long for the buffer is dropped */
    const char *history; /* borrowed: the history file, or NULL */

    /* Completions for Tab: the index-th candidate, NULL after the last. Set by the caller; texts
     * are borrowed, and copied at once. */
    const char *(*candidate)(const void *context, int index);
    const void *context;
};

/* Begins to read standard input; only one input can be open. history (may be NULL) is borrowed
 * until input_close(). The terminal is restored by input_close() or at exit. */
void input_open(struct input *input, const char *history);
void input_close(struct input *input);

/* Closes an input from which a front reads keys from now on; it counts as typed, if it was. */
void input_hand_over(struct input *input);

/* Whether a person types, and whether the prompt is shown while waiting for them. */
bool input_is_typed(const struct input *input);

/* Whether to poll standard input: there is room, and more may come. */
bool input_wants(const struct input *input);

/* Reads what has come. Call it when standard input is readable or hung up. */
void input_read(struct input *input);

/* The next complete line without its end, or NULL; borrowed until the next call. Where no prompt is
 * shown while waiting, the prompt is written now with the line. */
const char *input_take(struct input *input, const char *prompt);

/* Whether complete lines are left, or may come. */
bool input_has_more(const struct input *input);

/* Adds a line to the history. */
void input_remember(struct input *input, const char *line);

/* Shows the prompt and the text typed so far, if they are hidden. */
void input_show(struct input *input, const char *prompt);

/* Hides both; the text typed is kept. */
void input_hide(struct input *input);

/* Discards the text typed so far and goes to a new line. */
void input_clear(struct input *input);

/* Restore the modes of the terminal, and take it again, around anything that may block for long. */
void input_release(struct input *input);
void input_resume(struct input *input);

/* Call this when the size of the terminal has changed. */
void input_resize(struct input *input);

#endif
