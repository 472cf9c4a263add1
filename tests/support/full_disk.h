/* A full disk, for SQLite in this process only. */
#ifndef LUDUS_FULL_DISK_H
#define LUDUS_FULL_DISK_H

#include <stdbool.h>

/* Makes all writes of SQLite fail as on a full disk, or succeed again. A limit on the size of files
 * would allow writes within the present files, and stop the test's own output. */
void full_disk_set(bool full);

#endif
