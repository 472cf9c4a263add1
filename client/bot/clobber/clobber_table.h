/*
 * A transposition table: who wins which sum of Clobber. An entry is one word, so that threads share
 * the table without locks.
 */
#ifndef LUDUS_BOT_CLOBBER_TABLE_H
#define LUDUS_BOT_CLOBBER_TABLE_H

#include <stdint.h>

#include "client/bot/base/arena.h"

/* Whether the side to move wins. */
enum sum_verdict { SUM_UNKNOWN, SUM_WIN, SUM_LOSS };

struct table {
    _Atomic uint64_t *entries;
    size_t mask; /* of the number of the bucket */
};

/* Takes the largest power of two up to `bytes`, at least 4 KiB, from the arena. */
struct table table_in(size_t bytes, struct arena *arena);

/* A table in zeroed memory, or in that of an earlier table of as many bytes: a power of two, at
 * least 4096. */
struct table table_at(void *memory, size_t bytes);

void table_clear(struct table *table);

/* Prefetches what table_find() will read. */
void table_prefetch(const struct table *table, uint64_t key);

/* Looks a sum up by its key as the side to move sees it, and as the other side does. */
enum sum_verdict table_find(const struct table *table, uint64_t key, uint64_t other_key);

/* Looks a sum up, and sets *effort to the number of bits of the nodes that its verdict took. */
enum sum_verdict table_recall(const struct table *table, uint64_t key, uint64_t other_key,
                              int *effort);

/* Stores a verdict that took `nodes` positions to find. Those that took few make room first. */
void table_store(struct table *table, uint64_t key, uint64_t other_key, enum sum_verdict verdict,
                 uint64_t nodes);

#endif
