/*
 * The transposition table of the Clobber solver: who wins which sum. An entry is one word, so that
 * threads share the table without locks.
 */
#ifndef LUDUS_BOT_CLOBBER_TABLE_H
#define LUDUS_BOT_CLOBBER_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "clobber_sum.h"

struct table {
    _Atomic uint64_t *entries;
    size_t mask; /* of the number of the bucket */
};

/* Takes the largest power of two up to `bytes`, at least 4 KiB, from the arena. */
struct table table_in(size_t bytes, struct arena *arena);

/* Prefetches what table_find() will read. */
void table_prefetch(const struct table *table, uint64_t key);

/* Looks a sum up by its key as the side to move sees it, and as the other side does. */
enum sum_verdict table_find(const struct table *table, uint64_t key, uint64_t other_key);

/* Stores a verdict that took `nodes` positions to find. Those that took few make room first. */
void table_store(struct table *table, uint64_t key, uint64_t other_key, enum sum_verdict verdict,
                 uint64_t nodes);

#endif
