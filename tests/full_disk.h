/* A disk without room, for SQLite in this process only. */
#ifndef LUDUS_FULL_DISK_H
#define LUDUS_FULL_DISK_H

#include <stdbool.h>

/* Makes everything that SQLite writes fail as on a full disk, or not any more. A limit on the size
 * of files would let what fits into the files as they are pass, and stop the test's own output. */
void full_disk_set(bool full);

#endif
