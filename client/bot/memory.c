#include "memory.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKET = 4, AGES = 64, DEPTH_MAX = 255 }; /* a bucket fills one line of the cache */

_Static_assert(sizeof(struct memo) == 16, "a bucket is 64 bytes");

void memory_release(struct memory *memory)
{
    free(memory->memos);
    memory->memos = NULL;
    memory->buckets = 0;
    memory->age = 0;
}

void memory_resize(struct memory *memory, int megabytes)
{
    memory_release(memory);
    memory->megabytes = megabytes;
}

void memory_clear(struct memory *memory)
{
    memory_release(memory);
}

/* Pages of calloc() take no room before they are written to, so a bot that has little to do stays
 * small. */
static void allocate(struct memory *memory)
{
    size_t most = (size_t)memory->megabytes * 1024 * 1024 / (BUCKET * sizeof(struct memo));
    size_t buckets = 1;

    if (most == 0)
        return;
    while (buckets * 2 <= most)
        buckets *= 2;
    memory->memos = calloc(buckets * BUCKET, sizeof(struct memo));
    memory->buckets = memory->memos != NULL ? buckets : 0;
}

void memory_begin(struct memory *memory)
{
    if (memory->memos == NULL)
        allocate(memory);
    memory->age = (uint8_t)((memory->age + 1) % AGES);
}

static struct memo *bucket_of(const struct memory *memory, uint64_t key)
{
    return memory->memos + (key & (memory->buckets - 1)) * BUCKET;
}

bool memory_find(const struct memory *memory, uint64_t key, struct memo *memo)
{
    if (memory->buckets == 0)
        return false;
    const struct memo *bucket = bucket_of(memory, key);
    for (int i = 0; i < BUCKET; i++) {
        if (bucket[i].key == key && memo_bound(&bucket[i]) != BOUND_NONE) {
            *memo = bucket[i];
            return true;
        }
    }
    return false;
}

/* How much a memo is worth keeping: each question since then counts as eight plies. */
static int worth(const struct memory *memory, const struct memo *memo)
{
    int questions_ago = (AGES + memory->age - (memo->bound_and_age >> 2)) % AGES;

    if (memo_bound(memo) == BOUND_NONE)
        return -8 * AGES;
    return memo->depth_plies - 8 * questions_ago;
}

void memory_store(struct memory *memory, uint64_t key, struct move move, int value, int depth_plies,
                  enum bound bound)
{
    if (memory->buckets == 0)
        return;
    struct memo *bucket = bucket_of(memory, key), *place = bucket;
    for (int i = 0; i < BUCKET; i++) {
        if (bucket[i].key == key) {
            place = &bucket[i];
            break;
        }
        if (worth(memory, &bucket[i]) < worth(memory, place))
            place = &bucket[i];
    }
    int depth = depth_plies < 0 ? 0 : depth_plies < DEPTH_MAX ? depth_plies : DEPTH_MAX;
    *place = (struct memo){.key = key,
                           .move = move,
                           .value = (int16_t)value,
                           .depth_plies = (uint8_t)depth,
                           .bound_and_age = (uint8_t)(memory->age << 2 | bound)};
}
