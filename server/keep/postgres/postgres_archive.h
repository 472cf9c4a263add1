/* PostgreSQL as an archive. It blocks. */
#ifndef LUDUS_POSTGRES_ARCHIVE_H
#define LUDUS_POSTGRES_ARCHIVE_H

#include "server/keep/maintain.h"

struct postgres_archive;

/* Connects to the database of a conninfo. Servers may go on. NULL with the cause. */
struct postgres_archive *postgres_archive_open(const char *conninfo, struct cause *cause);
void postgres_archive_close(struct postgres_archive *source);

/* As an archive, which borrows it. */
struct archive postgres_archive(struct postgres_archive *source);

#endif
