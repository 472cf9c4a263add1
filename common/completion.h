/*
 * Completion of command lines in bash and zsh, written from the tables of usage.h: what is in a
 * table is completed, so that the two never differ. `make completion` has every program write its
 * scripts.
 */
#ifndef LUDUS_COMPLETION_H
#define LUDUS_COMPLETION_H

#include <stdbool.h>

#include "usage.h"
#include "values.h"

struct completion {
    const char *program;                  /* small letters, and - */
    const char *arguments;                /* without a subcommand: as in struct usage_command */
    const struct usage_row *rows;         /* likewise */
    const struct usage_command *commands; /* NULL: none */
};

/* Writes the script for "bash" or "zsh" to standard output. False, with nothing written, for any
 * other shell. */
bool completion_print(const struct completion *completion, const char *shell);

/* For the files of the two shells. Each writes one script. */
void completion_bash(const struct completion *completion);
void completion_zsh(const struct completion *completion);

/* The beginning of the names of the functions in a script: the program's name with _ for -. */
enum { COMPLETION_NAME_MAX = 32 };
void completion_name(const struct completion *completion, char name[COMPLETION_NAME_MAX]);

/* Prints a text between single quotes, as a word for either shell. */
void completion_quote(const char *text);

/* Calls `visit` for what the arguments are called, of options and others, of the program and its
 * subcommands: once for each name of which something is known (values.h). `context` is handed on.
 */
void completion_visit(const struct completion *completion,
                      void (*visit)(void *context, const char *argument,
                                    const struct values *values),
                      void *context);

/* Takes the first of several words off *arguments into word, and returns whether there was one. */
enum { ARGUMENT_MAX = 40 }; /* bytes with the final NUL */
bool completion_next(const char **arguments, char word[ARGUMENT_MAX]);

#endif
