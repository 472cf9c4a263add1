/*
 * The transposition table of the Clobber solver: who wins which sum. Threads share it without
 * locks, as an entry is one word.
 */
#ifndef LUDUS_BOT_CLOBBER_TABLE_H
#define LUDUS_BOT_CLOBBER_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "clobber_sum.h"

struct table;

/* The memory is the greatest power of two up to `bytes`, at least 4 KiB. NULL without memory. */
struct table *table_new(size_t bytes, bool huge_pages);
void table_free(struct table *table);

/* Asks for what table_find() will read. */
void table_prefetch(const struct table *table, uint64_t key);

/* The sum is told by its key as the side to move sees it, and as the other side does. */
enum sum_verdict table_find(const struct table *table, uint64_t key, uint64_t other_key);

/* `nodes`: the positions that it took to find the verdict; what took few makes room first. */
void table_store(struct table *table, uint64_t key, uint64_t other_key, enum sum_verdict verdict,
                 uint64_t nodes);

#endif
