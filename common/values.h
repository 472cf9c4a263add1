/*
 * What the argument of an option, or of a command, may be, by what it is called in help: words, and
 * what only a shell can list. For completion.c, which puts it into the words of a shell.
 */
#ifndef LUDUS_VALUES_H
#define LUDUS_VALUES_H

#include <stdbool.h>

enum value_kind {
    VALUES_WORDS,    /* one of a list */
    VALUES_LIST,     /* some of a list, with commas between them */
    VALUES_FILES,    /* paths of files */
    VALUES_FOLDERS,  /* paths of folders */
    VALUES_HOSTS,    /* names of machines */
    VALUES_COMMANDS, /* programs */
    VALUE_KINDS
};

enum { VALUES_TEXT_MAX = 1024 }; /* bytes with the final NUL */

/* What a name of arguments stands for: for each kind whether it can be that, and for the first two
 * their words, with a space between them. */
struct values {
    bool is[VALUE_KINDS];
    char words[2][VALUES_TEXT_MAX];
};

/* Reads "FILE|none" or "[GAME[:VARIANT]]...". False when nothing is known of it. */
bool values_read(struct values *values, const char *argument);

#endif
