/* Directories: the longest path, those of the user and of a service, and making one. */
#ifndef LUDUS_FOLDER_H
#define LUDUS_FOLDER_H

#include <stdbool.h>

#include "common/text.h"

enum { FOLDER_TEXT_MAX = 4096 }; /* bytes of a path with the final NUL */

/* Writes the path of `name` in the directory that an XDG variable names, or else in `below_home` of
 * $HOME. False when neither variable is an absolute path, or the result is too long. */
bool folder_of_user(char path[FOLDER_TEXT_MAX], const char *variable, const char *below_home,
                    const char *name);

/* Returns the directory that systemd names in a variable such as STATE_DIRECTORY; NULL when it
 * names none or several. */
const char *folder_of_service(const char *variable);

/* Makes a directory and its missing parents, with access for the owner only. The path is shorter
 * than FOLDER_TEXT_MAX. False with the cause. */
bool folder_make(const char *folder, struct cause *cause);

/* Writes the entries of a directory, such as that of a new file, to the disk. False with errno. */
bool folder_sync(const char *folder);

#endif
