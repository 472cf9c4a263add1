/*
 * Memory for large tables that are read at random. On huge pages, where the system has them, much
 * of such a read is saved, which otherwise goes into finding the page; but to get one can take
 * longer than a move may.
 */
#ifndef LUDUS_BOT_BIG_TABLE_H
#define LUDUS_BOT_BIG_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory that starts at a cache line. NULL without memory. */
void *big_table_new(size_t count, size_t bytes_each, bool huge_pages);
/* The same sizes as before; NULL is fine. */
void big_table_free(void *table, size_t count, size_t bytes_each);

#endif
