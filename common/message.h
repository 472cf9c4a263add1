/*
 * A line from a client, taken apart: `[#ID] VERB [ARG...]`. Knows the form only; which
 * arguments a verb takes is said by the server's command table.
 */
#ifndef LUDUS_MESSAGE_H
#define LUDUS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "cause.h"

enum {
    LINE_BYTES_MAX = 1024, /* with the line end */
    WORDS_MAX = 16,        /* arguments of one command, options included */
    ID_BYTES_MAX = 64
};

/* Everything points into `text`. */
struct message {
    char text[LINE_BYTES_MAX];
    const char *id;   /* without the '#'; NULL when none was given */
    const char *verb; /* NULL when the line had none */
    char *rest;       /* what follows the verb and its spaces; "" when nothing */
};

/* The arguments of a command: words, then options `name=value` in any order. */
struct arguments {
    int count;
    const char *words[WORDS_MAX];
    int option_count;
    const char *option_names[WORDS_MAX]; /* lower case */
    const char *option_values[WORDS_MAX];
};

/* Copies a line (without its end, `length` below LINE_BYTES_MAX) and splits off id and verb.
 * False with the cause when the id is empty or longer than ID_BYTES_MAX; message->id is then NULL.
 */
bool message_parse(struct message *message, const char *line, size_t length, struct cause *cause);

/* Splits message->rest in place. `options` names the options that the command knows, separated
 * by spaces; one that ends in '*' takes the rest of the line as its value. False with the cause
 * for an unknown or doubled option, a word after an option, and too many words. */
bool arguments_parse(struct arguments *arguments, char *rest, const char *options,
                     struct cause *cause);

/* The value of an option, or NULL. */
const char *arguments_option(const struct arguments *arguments, const char *name);

#endif
