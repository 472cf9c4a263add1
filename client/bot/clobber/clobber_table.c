#include "clobber_table.h"

#include <stdatomic.h>
#include <string.h>

/*
 * An entry: 58 bits of the second key, then 5 bits for the binary logarithm of the nodes, then 1
 * for a win of the side to move. The first key chooses the bucket, a cache line. So a lookup
 * compares 80 or more bits of the keys.
 */
enum { BUCKET = 8 };

#define CHECK_MASK (~(uint64_t)63)

struct table table_in(size_t bytes, struct arena *arena)
{
    size_t buckets = 64;

    while (buckets * 2 * BUCKET * sizeof(uint64_t) <= bytes)
        buckets *= 2;
    return (struct table){.entries = arena_take(arena, buckets, BUCKET * sizeof(uint64_t)),
                          .mask = buckets - 1};
}

struct table table_at(void *memory, size_t bytes)
{
    return (struct table){.entries = memory, .mask = bytes / (BUCKET * sizeof(uint64_t)) - 1};
}

void table_clear(struct table *table)
{
    memset((void *)table->entries, 0, (table->mask + 1) * BUCKET * sizeof(uint64_t));
}

static _Atomic uint64_t *bucket_of(const struct table *table, uint64_t key)
{
    return table->entries + (key & table->mask) * BUCKET;
}

void table_prefetch(const struct table *table, uint64_t key)
{
    __builtin_prefetch((const void *)bucket_of(table, key));
}

/* The entry of a sum, or 0. */
static uint64_t entry_of(const struct table *table, uint64_t key, uint64_t other_key)
{
    const _Atomic uint64_t *bucket = bucket_of(table, key);

    for (int i = 0; i < BUCKET; i++) {
        uint64_t entry = atomic_load_explicit(&bucket[i], memory_order_relaxed);
        if (((entry ^ other_key) & CHECK_MASK) == 0 && entry != 0)
            return entry;
    }
    return 0;
}

static enum sum_verdict verdict_of(uint64_t entry)
{
    return entry == 0 ? SUM_UNKNOWN : entry & 1 ? SUM_WIN : SUM_LOSS;
}

static unsigned size_of(uint64_t entry)
{
    return entry >> 1 & 31;
}

enum sum_verdict table_find(const struct table *table, uint64_t key, uint64_t other_key)
{
    return verdict_of(entry_of(table, key, other_key));
}

enum sum_verdict table_recall(const struct table *table, uint64_t key, uint64_t other_key,
                              int *effort)
{
    uint64_t entry = entry_of(table, key, other_key);

    *effort = (int)size_of(entry) + 1;
    return verdict_of(entry);
}

void table_store(struct table *table, uint64_t key, uint64_t other_key, enum sum_verdict verdict,
                 uint64_t nodes)
{
    _Atomic uint64_t *bucket = bucket_of(table, key), *least = bucket;
    unsigned least_size = 32, size = 63 - (unsigned)__builtin_clzll(nodes | 1);

    for (int i = 0; i < BUCKET; i++) {
        uint64_t entry = atomic_load_explicit(&bucket[i], memory_order_relaxed);
        if (((entry ^ other_key) & CHECK_MASK) == 0 && entry != 0)
            return;
        unsigned entry_size = entry == 0 ? 0 : size_of(entry) + 1;
        if (entry_size < least_size) {
            least_size = entry_size;
            least = &bucket[i];
        }
    }
    size = size > 30 ? 30 : size;
    uint64_t entry = (other_key & CHECK_MASK) | size << 1 | (verdict == SUM_WIN);
    atomic_store_explicit(least, entry, memory_order_relaxed);
}
