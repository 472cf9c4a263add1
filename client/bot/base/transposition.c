#include "transposition.h"

#include <limits.h>
#include <string.h>

#include "big_table.h"

enum { BUCKET = 4, AGES = 64, DEPTH_MAX = 255 }; /* a bucket fills one line of the cache */

_Static_assert(sizeof(struct memory_slot) == 16, "a bucket is 64 bytes");

/* All of a memo but its key. */
static uint64_t pack(const struct memo *memo)
{
    uint32_t move;

    memcpy(&move, &memo->move, sizeof move);
    return (uint64_t)move << 32 | (uint64_t)(uint16_t)memo->value << 16 |
           (uint64_t)memo->depth_plies << 8 | memo->bound_and_age;
}

static struct memo load(const struct memory_slot *slot)
{
    uint64_t data = atomic_load_explicit(&slot->data, memory_order_relaxed);
    uint32_t move = (uint32_t)(data >> 32);
    struct memo memo = {.key =
                            data ^ atomic_load_explicit(&slot->key_and_data, memory_order_relaxed),
                        .value = (int16_t)(data >> 16),
                        .depth_plies = (uint8_t)(data >> 8),
                        .bound_and_age = (uint8_t)data};

    memcpy(&memo.move, &move, sizeof move);
    return memo;
}

static void save(struct memory_slot *slot, const struct memo *memo)
{
    uint64_t data = pack(memo);

    atomic_store_explicit(&slot->key_and_data, memo->key ^ data, memory_order_relaxed);
    atomic_store_explicit(&slot->data, data, memory_order_relaxed);
}

void memory_release(struct memory *memory)
{
    big_table_free(memory->slots, memory->buckets * BUCKET, sizeof *memory->slots);
    memory->slots = NULL;
    if (memory->extra != NULL)
        memory->extra_free(memory->extra);
    memory->extra = NULL;
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

/* Pages take no room before they are written to, so a bot that has little to do stays small. They
 * are not huge ones: to get one can take longer than a move may. */
static void allocate(struct memory *memory)
{
    size_t most = (size_t)memory->megabytes * 1024 * 1024 / (BUCKET * sizeof(struct memory_slot));
    size_t buckets = 1;

    if (most == 0)
        return;
    while (buckets * 2 <= most)
        buckets *= 2;
    memory->slots = big_table_new(buckets * BUCKET, sizeof *memory->slots, false);
    memory->buckets = memory->slots != NULL ? buckets : 0;
}

void memory_begin(struct memory *memory)
{
    if (memory->slots == NULL)
        allocate(memory);
    memory->age = (uint8_t)((memory->age + 1) % AGES);
}

static struct memory_slot *bucket_of(const struct memory *memory, uint64_t key)
{
    return memory->slots + (key & (memory->buckets - 1)) * BUCKET;
}

bool memory_find(const struct memory *memory, uint64_t key, struct memo *memo)
{
    if (memory->buckets == 0)
        return false;
    const struct memory_slot *bucket = bucket_of(memory, key);
    for (int i = 0; i < BUCKET; i++) {
        *memo = load(&bucket[i]);
        if (memo->key == key && memo_bound(memo) != BOUND_NONE)
            return true;
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
    struct memory_slot *bucket = bucket_of(memory, key), *place = bucket;
    int least = INT_MAX;
    for (int i = 0; i < BUCKET; i++) {
        struct memo memo = load(&bucket[i]);
        if (memo.key == key) {
            place = &bucket[i];
            break;
        }
        if (worth(memory, &memo) < least) {
            least = worth(memory, &memo);
            place = &bucket[i];
        }
    }
    int depth = depth_plies < 0 ? 0 : depth_plies < DEPTH_MAX ? depth_plies : DEPTH_MAX;
    save(place, &(struct memo){.key = key,
                               .move = move,
                               .value = (int16_t)value,
                               .depth_plies = (uint8_t)depth,
                               .bound_and_age = (uint8_t)(memory->age << 2 | bound)});
}
