/*
 * Parses a line from a client: `[#ID] VERB [ARG...]`. Knows the form only; the server's command
 * table says which arguments a verb takes.
 */
#ifndef LUDUS_MESSAGE_H
#define LUDUS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

enum {
    LINE_BYTES_MAX = 1024, /* with the line end */
    WORDS_MAX = 16,        /* arguments of one command, options included */
    ID_BYTES_MAX = 64
};

/* Everything points into `text`. */
struct message {
    char text[LINE_BYTES_MAX];
    const char *id;   /* without the '#'; NULL: none */
    const char *verb; /* NULL: none */
    char *rest;       /* what follows the verb and its spaces, or "" */
};

/* The arguments of a command: words, then options `name=value` in any order. */
struct arguments {
    int count;
    const char *words[WORDS_MAX];
    int option_count;
    const char *option_names[WORDS_MAX]; /* lower case */
    const char *option_values[WORDS_MAX];
};

/* Copies a line of `length` < LINE_BYTES_MAX bytes, without its end, and splits off id and verb.
 * Returns false with the cause, and message->id NULL, if the id is empty or longer than
 * ID_BYTES_MAX. */
bool message_parse(struct message *message, const char *line, size_t length, struct cause *cause);

/* Splits message->rest in place. `options` lists the options of the command, separated by spaces;
 * one that ends in '*' takes the rest of the line as its value. Returns false with the cause for an
 * unknown or repeated option, a word after an option, or too many words. */
bool arguments_parse(struct arguments *arguments, char *rest, const char *options,
                     struct cause *cause);

/* The value of an option, or NULL. */
const char *arguments_option(const struct arguments *arguments, const char *name);

#endif
