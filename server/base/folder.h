/* Directories: how long their names may be, where state belongs, and making one. */
#ifndef LUDUS_FOLDER_H
#define LUDUS_FOLDER_H

#include <stdbool.h>

#include "common/cause.h"

enum { FOLDER_TEXT_MAX = 4096 }; /* bytes of a path with the final NUL */

/* The directory for the server's state if none was named: $XDG_STATE_HOME/ludus, or
 * ~/.local/state/ludus. False when neither variable is set. */
bool folder_of_state(char folder[FOLDER_TEXT_MAX]);

/* Makes a directory and those above it that are missing, with access for the owner only. The path
 * is shorter than FOLDER_TEXT_MAX. False with the cause. */
bool folder_make(const char *folder, struct cause *cause);

#endif
