/*
 * Folders as a whole: removed, copied, put in the place of another.
 */
#ifndef LUDUS_FILE_TREE_H
#define LUDUS_FILE_TREE_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/text.h"

/* Removes a file or a folder with all in it, which need not exist. Links are not followed. */
void file_tree_remove(const char *path);

/* Copies a file into a new folder, or a folder with all in it as a new one. Others may read the
 * copy; what could be run still can. False with the cause: it is larger than `most` bytes, or has
 * something that is neither file nor folder, as a link would lead out of it. Then remove `to`. */
bool file_tree_copy(const char *from, const char *to, long long most, struct cause *cause);

/* Gives a folder with all in it to a user, and their group. False with the cause. */
bool file_tree_give(const char *path, uid_t user, struct cause *cause);

/* Puts the folder `fresh` in the place of `path`, at once where the file system can. What was there
 * becomes `before`, and what was `before` is removed. False with the cause. */
bool file_tree_replace(const char *fresh, const char *path, const char *before,
                       struct cause *cause);

#endif
