/*
 * A file that is written anew: the text goes into a draft beside it, which then takes its place, so
 * that the file is whole at any moment. Only its owner may read it.
 */
#ifndef LUDUS_DRAFT_H
#define LUDUS_DRAFT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

enum { DRAFT_PATH_MAX = PATH_MAX + 8 };

struct draft {
    FILE *file; /* to write to */
    const char *target;
    char path[DRAFT_PATH_MAX];
};

/* Begins to write the file `path`, which is borrowed until the end. False with errno. */
bool draft_open(struct draft *draft, const char *path);

/* Puts the draft in the place of the file. False with errno, also for what could not be written
 * before; then the file is as it was, and the draft is gone. */
bool draft_keep(struct draft *draft);

#endif
