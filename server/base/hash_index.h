/*
 * Hash tables of uthash for keys that strangers choose: the hash is keyed with random bytes, so
 * nobody can choose keys that collide. Include this instead of <uthash.h>.
 */
#ifndef LUDUS_HASH_INDEX_H
#define LUDUS_HASH_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "common/xmalloc.h"

/* Returns SipHash-2-4 of a key, under a random key of this process, folded to 32 bits. */
unsigned hash_index(const void *key, size_t length);

/* Returns a hash of a number that nobody outside can choose, and that needs no key. */
static inline unsigned hash_number(int64_t number)
{
    return (unsigned)((uint64_t)number * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

#define HASH_FUNCTION(key, length, hash) ((hash) = hash_index((key), (length)))
#define uthash_malloc(size)              xmalloc(size)

#include <uthash.h>

/* A table grows once a chain has this many items, as each of them may be a cache miss: with 200 to
 * 20,000 items chains have 0.8 to 3 on average, with uthash's own number, 10, 1.5 to 5.5. Fewer
 * take much memory: a million items have two million chains now, and eight million with 5. */
#undef HASH_BKT_CAPACITY_THRESH
#define HASH_BKT_CAPACITY_THRESH 7U

#endif
