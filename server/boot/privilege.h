/* Giving up the rights of root for those of a user, for good. */
#ifndef LUDUS_PRIVILEGE_H
#define LUDUS_PRIVILEGE_H

#include <stdbool.h>

#include "common/cause.h"

bool privilege_is_root(void);

/* Becomes the user, with his main group and no other, and makes sure that there is no way back; his
 * home counts for default paths. Who is that user already stays as he is. False with the cause:
 * the process must end then, as it may be half of each. */
bool privilege_drop(const char *user, struct cause *cause);

/* Whether this process may read and write the file or folder, if it is there. False with the
 * cause, which says whose it is and what to type. */
bool privilege_may_write(const char *path, struct cause *cause);

#endif
