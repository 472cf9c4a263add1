/* An engine as an archive, and a store that is brought into it. Both block. */
#ifndef LUDUS_POSTGRES_ARCHIVE_H
#define LUDUS_POSTGRES_ARCHIVE_H

#include "server/keep/archive.h"

struct postgres_archive;
struct store;

/* Connects to the engine of a conninfo. Servers may go on. NULL with the cause. */
struct postgres_archive *postgres_archive_open(const char *conninfo, struct cause *cause);
void postgres_archive_close(struct postgres_archive *source);

/* As an archive, which borrows it. */
struct archive postgres_archive(struct postgres_archive *source);

/* Copies all players, ratings and matches of a store into an engine that has none: as a whole or
 * not at all. Reports and returns as maintain_check(). */
int postgres_import(const char *conninfo, struct store *store);

#endif
