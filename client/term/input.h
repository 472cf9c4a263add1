/*
 * Lines typed by a person or read from a pipe.
 *
 * On a terminal libedit edits the line and keeps a history; anywhere else (a pipe, a file, a
 * terminal without cursor movement) lines are read as they come. Either way the caller polls
 * standard input, calls input_read() when there is something, and takes complete lines with
 * input_take(). It knows nothing of the server or of games.
 *
 * Anything else that writes to standard output calls input_hide() first; input_show() then puts
 * the prompt and the text typed so far back.
 */
#ifndef LUDUS_INPUT_H
#define LUDUS_INPUT_H

#include <stdbool.h>
#include <stddef.h>

enum { INPUT_LINE_MAX = 4096, PROMPT_MAX = 64 }; /* bytes with the final NUL */

struct input {
    bool interactive; /* standard input is a terminal */
    bool editing;     /* libedit is in charge */
    bool prompting;   /* both ends are a terminal: the prompt is shown while waiting */
    bool ended;       /* nothing more can be read; complete lines may still be waiting */
    bool shown;       /* the prompt is on the screen */
    bool has_line;    /* editing: `line` holds one that was not taken yet */
    char prompt[PROMPT_MAX];
    char line[INPUT_LINE_MAX];
    char pending[INPUT_LINE_MAX - 1]; /* not editing: what was read and not taken yet */
    size_t pending_bytes;
    const char *history; /* borrowed: the file the history is kept in, or NULL */

    /* What Tab completes a word to: the index-th candidate, NULL after the last. Set by the
     * caller; borrowed texts, copied at once. */
    const char *(*candidate)(const void *context, int index);
    const void *context;
};

/* Begins reading standard input; only one input can be open. history (may be NULL) is borrowed
 * for as long. A terminal is restored by input_close(), or when the program exits. */
void input_open(struct input *input, const char *history);
void input_close(struct input *input);

/* Whether standard input should be polled: there is room, and more may come. */
bool input_wants(const struct input *input);

/* Reads what is there. Call it when standard input is readable or hung up. */
void input_read(struct input *input);

/* The next complete line without its end, or NULL; borrowed until the next call. Where no prompt is
 * shown while waiting, it is written now, with the line. */
const char *input_take(struct input *input, const char *prompt);

/* Whether there are complete lines to take, or may be later. */
bool input_has_more(const struct input *input);

/* Adds a line to the history. */
void input_remember(struct input *input, const char *line);

/* Puts the prompt, and behind it the text typed so far, on the screen; nothing happens when they
 * are there already. */
void input_show(struct input *input, const char *prompt);

/* Takes both off the screen; the text typed is kept. */
void input_hide(struct input *input);

/* Throws away the text typed so far and goes to a new line. */
void input_clear(struct input *input);

/* Gives the terminal back to its usual ways, and takes it again, around anything that may block
 * for long. */
void input_release(struct input *input);
void input_resume(struct input *input);

/* The terminal has another size. */
void input_resize(struct input *input);

#endif
