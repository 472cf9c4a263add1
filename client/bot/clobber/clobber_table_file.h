/*
 * A table of who wins which sum (clobber_table.h) in a file, mapped into memory: what one run finds
 * out is there for the next one, even if the process is killed. A crash of the whole system may
 * lose the last half minute.
 */
#ifndef LUDUS_BOT_CLOBBER_TABLE_FILE_H
#define LUDUS_BOT_CLOBBER_TABLE_FILE_H

#include "clobber_table.h"
#include "common/cause.h"

/* A zeroed one is closed. */
struct table_file {
    void *memory;
    size_t bytes;
    int descriptor; /* locked, while there is memory */
};

/* Opens the file, or makes it, and sets *table to the largest power of two up to `bytes`, at least
 * 4 KiB. A smaller table in the file grows, a larger one stays as it is. Returns false with the
 * cause if the file holds anything else, is in use, or cannot be read, grown or mapped. */
bool table_file_open(struct table_file *file, const char *path, size_t bytes, struct table *table,
                     struct cause *cause);

/* The table is gone then. */
void table_file_close(struct table_file *file);

#endif
