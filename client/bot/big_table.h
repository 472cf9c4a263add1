/*
 * Memory for large tables that are read at random: on huge pages where the system has them, as
 * most of such a read is otherwise spent on finding the page.
 */
#ifndef LUDUS_BOT_BIG_TABLE_H
#define LUDUS_BOT_BIG_TABLE_H

#include <stddef.h>

/* Zeroed memory that starts at a cache line. NULL without memory. */
void *big_table_new(size_t count, size_t bytes_each);
/* The same sizes as before; NULL is fine. */
void big_table_free(void *table, size_t count, size_t bytes_each);

#endif
