#include "transposition.h"

#include <limits.h>
#include <string.h>

enum { BUCKET = 4, AGES = 64, DEPTH_MAX = 255 }; /* a bucket fills a cache line */

_Static_assert(BUCKET * sizeof(struct tt_slot) == 64, "a bucket is 64 bytes");

static struct tt_entry load_slot(const struct tt_slot *slot)
{
    uint64_t data = atomic_load_explicit(&slot->data, memory_order_relaxed);
    uint64_t key = data ^ atomic_load_explicit(&slot->key_and_data, memory_order_relaxed);
    uint32_t move = (uint32_t)(data >> 32);
    struct tt_entry entry = {.key = key,
                             .value = (int16_t)(data >> 16),
                             .depth_plies = (uint8_t)(data >> 8),
                             .bound_and_age = (uint8_t)data};

    memcpy(&entry.move, &move, sizeof move);
    return entry;
}

static void save_slot(struct tt_slot *slot, const struct tt_entry *entry)
{
    /* All of an entry but its key. */
    uint32_t move;
    memcpy(&move, &entry->move, sizeof move);
    uint64_t data = (uint64_t)move << 32 | (uint64_t)(uint16_t)entry->value << 16 |
                    (uint64_t)entry->depth_plies << 8 | entry->bound_and_age;

    atomic_store_explicit(&slot->key_and_data, entry->key ^ data, memory_order_relaxed);
    atomic_store_explicit(&slot->data, data, memory_order_relaxed);
}

void tt_clear(struct tt *tt)
{
    if (tt->extra != NULL)
        tt->extra_free(tt->extra);
    arena_unmap(&tt->arena);
    *tt = (struct tt){.megabytes = tt->megabytes};
}

void tt_resize(struct tt *tt, int megabytes)
{
    tt_clear(tt);
    tt->megabytes = megabytes;
}

/* Takes no huge pages, for a fast first move. Pages that were never written take no memory, so a
 * bot that has little to do stays small. */
static void allocate_slots(struct tt *tt)
{
    size_t most = (size_t)tt->megabytes * 1024 * 1024 / (BUCKET * sizeof(struct tt_slot));
    size_t buckets = 1;

    while (buckets * 2 <= most)
        buckets *= 2;
    if (most == 0 || !arena_map(&tt->arena, buckets * BUCKET * sizeof(struct tt_slot), false))
        return;
    tt->slots = arena_take(&tt->arena, buckets * BUCKET, sizeof(struct tt_slot));
    tt->buckets = buckets;
}

void tt_begin(struct tt *tt)
{
    if (tt->slots == NULL)
        allocate_slots(tt);
    tt->age = (uint8_t)((tt->age + 1) % AGES);
}

static struct tt_slot *bucket_of(const struct tt *tt, uint64_t key)
{
    return tt->slots + (key & (tt->buckets - 1)) * BUCKET;
}

bool tt_find(const struct tt *tt, uint64_t key, struct tt_entry *entry)
{
    if (tt->buckets == 0)
        return false;
    const struct tt_slot *bucket = bucket_of(tt, key);
    for (int i = 0; i < BUCKET; i++) {
        *entry = load_slot(&bucket[i]);
        if (entry->key == key && tt_bound(entry) != BOUND_NONE)
            return true;
    }
    return false;
}

int tt_filled(const struct tt *tt)
{
    enum { SAMPLE = 1000 };
    size_t most = tt->buckets * BUCKET, count = most < SAMPLE ? most : SAMPLE, used = 0;

    for (size_t i = 0; i < count; i++) {
        struct tt_entry entry = load_slot(&tt->slots[i]);
        used += tt_bound(&entry) != BOUND_NONE && entry.bound_and_age >> 2 == tt->age;
    }
    return count > 0 ? (int)(used * 1000 / count) : 0;
}

/* What keeping an entry is worth: each question since then counts as eight plies. */
static int entry_worth(const struct tt *tt, const struct tt_entry *entry)
{
    int questions_ago = (AGES + tt->age - (entry->bound_and_age >> 2)) % AGES;

    if (tt_bound(entry) == BOUND_NONE)
        return -8 * AGES;
    return entry->depth_plies - 8 * questions_ago;
}

/* The slot with the same key, else the one least worth keeping. */
static struct tt_slot *slot_for(const struct tt *tt, uint64_t key)
{
    struct tt_slot *bucket = bucket_of(tt, key), *place = bucket;
    int least = INT_MAX;

    for (int i = 0; i < BUCKET; i++) {
        struct tt_entry entry = load_slot(&bucket[i]);
        if (entry.key == key)
            return &bucket[i];
        if (entry_worth(tt, &entry) < least) {
            least = entry_worth(tt, &entry);
            place = &bucket[i];
        }
    }
    return place;
}

void tt_store(struct tt *tt, uint64_t key, struct move move, int value, int depth_plies,
              enum bound bound)
{
    if (tt->buckets == 0)
        return;
    int depth = depth_plies < 0 ? 0 : depth_plies < DEPTH_MAX ? depth_plies : DEPTH_MAX;
    save_slot(slot_for(tt, key),
              &(struct tt_entry){.key = key,
                                 .move = move,
                                 .value = (int16_t)value,
                                 .depth_plies = (uint8_t)depth,
                                 .bound_and_age = (uint8_t)(tt->age << 2 | bound)});
}
