/*
 * Replaces a file as a whole: the text goes into a draft beside it, which then takes its place.
 * Readers see the old text or the new one. Only the owner may read the file.
 */
#ifndef LUDUS_SAFE_FILE_H
#define LUDUS_SAFE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

enum { SAFE_FILE_PATH_MAX = PATH_MAX + 8 };

struct safe_file {
    FILE *draft; /* to write to */
    const char *path;
    char draft_path[SAFE_FILE_PATH_MAX];
};

/* Begins to replace the file `path`, which is borrowed until safe_file_keep(). False with errno. */
bool safe_file_open(struct safe_file *file, const char *path);

/* Puts the draft in the place of the file. False with errno when this or an earlier write failed;
 * the file is then unchanged, and the draft is deleted. */
bool safe_file_keep(struct safe_file *file);

#endif
