/* Exchanges the rights of root for those of a user. */
#ifndef LUDUS_PRIVILEGE_H
#define LUDUS_PRIVILEGE_H

#include <stdbool.h>

#include "common/cause.h"

/* Becomes the user for good, with that user's main group only, and HOME for default paths. Does
 * nothing if this process already runs as the user. False with the cause: the process must end
 * then, as the change may be half done. */
bool privilege_drop(const char *user, struct cause *cause);

/* Checks that this process may read and write the file or directory, if it exists. False with the
 * cause, which names the owner and the command that helps. */
bool privilege_may_write(const char *path, struct cause *cause);

#endif
