#include "clobber_sum.h"

#include <stdlib.h>
#include <string.h>

#include "cgt.h"
#include "common/xmalloc.h"

/*
 * An entry: 58 bits of the second key, then 5 bits for the binary logarithm of the nodes, then 1
 * for a win of the side to move. The first key chooses the bucket, a cache line. So a lookup
 * compares 80 or more bits of the keys.
 */
#define CHECK_MASK (~(uint64_t)63)

struct table table_in(size_t bytes, struct arena *arena)
{
    size_t buckets = 64;

    while (buckets * 2 * BUCKET_ENTRIES * sizeof(uint64_t) <= bytes)
        buckets *= 2;
    return (struct table){.entries = arena_take(arena, buckets, BUCKET_ENTRIES * sizeof(uint64_t)),
                          .mask = buckets - 1};
}

void table_clear(struct table *table)
{
    memset(table->entries, 0, (table->mask + 1) * BUCKET_ENTRIES * sizeof(uint64_t));
}

static uint64_t *bucket_of(const struct table *table, uint64_t key)
{
    return table->entries + (key & table->mask) * BUCKET_ENTRIES;
}

static void prefetch_entry(const struct table *table, uint64_t key)
{
    __builtin_prefetch(bucket_of(table, key));
}

/* The entry of a sum, or 0. */
static uint64_t entry_of(const struct table *table, uint64_t key, uint64_t other_key)
{
    const uint64_t *bucket = bucket_of(table, key);

    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        uint64_t entry = bucket[i];
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

static enum sum_verdict find_entry(const struct table *table, uint64_t key, uint64_t other_key)
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
    uint64_t *bucket = bucket_of(table, key), *least = bucket;
    unsigned least_size = 32, size = 63 - (unsigned)__builtin_clzll(nodes | 1);

    for (int i = 0; i < BUCKET_ENTRIES; i++) {
        uint64_t entry = bucket[i];
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
    *least = entry;
}

/* The largest groups that are replaced by their values. Those of 9 stones save nodes, but take more
 * memory than most solvers have. */
enum { STONES_VALUED = 8, STONES_VALUED_MOST = 9 };

static const size_t bytes_for_most = (size_t)256 << 20;

/* Keeps sums of different strides apart. */
#define KEY_OF_STRIDE(stride) ((uint64_t)(stride)*0x9e3779b97f4a7c15u)

/* The value of a group, where known. An empty slot has no stones. */
struct known {
    uint64_t stones[2];
    uint32_t value;
    int stride;
};

struct sums {
    struct cgt *cgt;
    struct guesser *guesser;
    struct layout layout;
    int stones_valued;
    struct known *known; /* a slot holds the last group that fell on it */
    uint32_t known_mask;
};

struct sums *sums_new(size_t bytes, struct arena *arena)
{
    struct sums *sums = xcalloc(1, sizeof *sums);
    uint32_t slots = 1024;

    while (slots < 1u << 24 && 2 * slots * sizeof(struct known) <= bytes / 2)
        slots *= 2;
    sums->known_mask = slots - 1;
    sums->known = arena_take(arena, slots, sizeof *sums->known);
    sums->cgt = cgt_new(bytes / 2, arena);
    sums->guesser = guesser_new();
    layout_set(&sums->layout, 8);
    sums->stones_valued = bytes >= bytes_for_most ? STONES_VALUED_MOST : STONES_VALUED;
    return sums;
}

void sums_free(struct sums *sums)
{
    free(sums->cgt);
    free(sums->guesser);
    free(sums);
}

void sums_make_room(struct sums *sums)
{
    if (!cgt_is_full(sums->cgt))
        return;
    cgt_clear(sums->cgt);
    memset(sums->known, 0, (sums->known_mask + 1) * sizeof *sums->known);
}

void sums_set_stride(struct sums *sums, int stride)
{
    if (stride != sums->layout.stride)
        layout_set(&sums->layout, stride);
}

static uint32_t value_of_group(struct sums *sums, const struct group *group);

/* The value of a group after a move. */
static uint32_t value_after(struct sums *sums, const struct group *group, int color, int from,
                            int to)
{
    struct pieces pieces;
    uint32_t value = CGT_ZERO;

    group_after(&pieces, group, &sums->layout, color, from, to);
    for (int i = 0; i < pieces.count && value != CGT_NONE; i++)
        value = cgt_add(sums->cgt, value, value_of_group(sums, &pieces.group[i]));
    return value;
}

static bool add_values(struct sums *sums, const struct group *group, int color,
                       struct cgt_options *options)
{
    uint64_t from[4];
    int step[4];

    group_moves(group, &sums->layout, color, from);
    group_steps(sums->layout.stride, step);
    for (int i = 0; i < 4; i++)
        for (uint64_t left = from[i]; left != 0; left &= left - 1) {
            int square = __builtin_ctzll(left);
            uint32_t value = value_after(sums, group, color, square, square + step[i]);
            if (!cgt_option_add(options, color, value))
                return false;
        }
    return true;
}

static uint32_t value_by_moves(struct sums *sums, const struct group *group)
{
    struct cgt_options options;

    options.count[0] = options.count[1] = 0;
    if (!add_values(sums, group, WHITE, &options) || !add_values(sums, group, BLACK, &options))
        return CGT_NONE;
    return cgt_make(sums->cgt, &options);
}

static struct known *slot_of(const struct sums *sums, const struct group *group)
{
    return &sums->known[group_key(group, WHITE) & sums->known_mask];
}

static bool is_valued(const struct sums *sums, const struct group *group)
{
    return group_stones(group) <= sums->stones_valued;
}

static uint32_t value_of_group(struct sums *sums, const struct group *group)
{
    if (!is_valued(sums, group))
        return CGT_NONE;
    struct known *slot = slot_of(sums, group);
    if (slot->stones[0] != group->stones[0] || slot->stones[1] != group->stones[1] ||
        slot->stride != sums->layout.stride) {
        uint32_t value = value_by_moves(sums, group);
        *slot = (struct known){{group->stones[0], group->stones[1]}, value, sums->layout.stride};
    }
    return slot->value;
}

static void drop_value(const struct sums *sums, struct sum *sum, int i)
{
    for (int color = 0; color < 2; color++)
        sum->key[color] -= cgt_key(sums->cgt, sum->value[i], color);
    sum->value[i] = sum->value[--sum->values];
}

/* Adds a value to the first one with which it has a sum. */
static void add_value(struct sums *sums, struct sum *sum, uint32_t value)
{
    for (int i = 0; i < sum->values && value != CGT_ZERO; i++) {
        uint32_t both = cgt_add(sums->cgt, sum->value[i], value);
        if (both == CGT_NONE)
            continue;
        drop_value(sums, sum, i);
        value = both;
        i = -1;
    }
    if (value == CGT_ZERO)
        return;
    for (int color = 0; color < 2; color++)
        sum->key[color] += cgt_key(sums->cgt, value, color);
    sum->value[sum->values++] = value;
}

static void drop_group(struct sum *sum, int i)
{
    for (int color = 0; color < 2; color++)
        sum->key[color] -= group_key(&sum->group[i], color);
    sum->group[i] = sum->group[--sum->groups];
}

static void add_group(struct sums *sums, struct sum *sum, const struct group *group)
{
    uint32_t value = value_of_group(sums, group);

    if (value != CGT_NONE) {
        add_value(sums, sum, value);
        return;
    }
    for (int i = 0; i < sum->groups; i++)
        if (group_cancels(&sum->group[i], group)) {
            drop_group(sum, i);
            return;
        }
    for (int color = 0; color < 2; color++)
        sum->key[color] += group_key(group, color);
    sum->group[sum->groups++] = *group;
}

static void add_groups(struct sums *sums, struct sum *sum, const struct group *group, int count)
{
    for (int i = 0; i < count; i++)
        add_group(sums, sum, &group[i]);
}

void sum_of_position(struct sums *sums, struct sum *sum, const struct position *position)
{
    struct groups groups;

    groups_of_position(&groups, position, &sums->layout);
    sum->key[0] = sum->key[1] = KEY_OF_STRIDE(sums->layout.stride);
    sum->values = sum->groups = 0;
    add_groups(sums, sum, groups.group, groups.count);
}

static int add_group_moves(const struct sums *sums, const struct sum *sum, int part, int color,
                           struct sum_move *moves, int max)
{
    uint64_t from[4];
    int step[4], count = 0;

    group_moves(&sum->group[part], &sums->layout, color, from);
    group_steps(sums->layout.stride, step);
    for (int i = 0; i < 4; i++)
        for (; from[i] != 0 && count < max; from[i] &= from[i] - 1) {
            int square = __builtin_ctzll(from[i]);
            moves[count++] =
                (struct sum_move){(uint8_t)part, (uint8_t)square, (uint8_t)(square + step[i])};
        }
    return count;
}

int sum_moves(const struct sums *sums, const struct sum *sum, int color, struct sum_move *moves,
              int max)
{
    const uint32_t *options;
    int count = 0;

    for (int i = 0; i < sum->groups; i++)
        count += add_group_moves(sums, sum, i, color, moves + count, max - count);
    for (int i = 0; i < sum->values; i++) {
        int all = cgt_options_of(sums->cgt, sum->value[i], color, &options);
        for (int j = 0; j < all && count < max; j++)
            moves[count++] = (struct sum_move){(uint8_t)(sum->groups + i), (uint8_t)j, 0};
    }
    return count;
}

static void copy_sum(struct sum *to, const struct sum *from)
{
    memcpy(to, from, offsetof(struct sum, value));
    memcpy(to->value, from->value, (size_t)from->values * sizeof from->value[0]);
    memcpy(to->group, from->group, (size_t)from->groups * sizeof from->group[0]);
}

void sum_split(const struct sums *sums, struct pieces *pieces, const struct sum *sum, int color,
               struct sum_move move)
{
    pieces->count = 0;
    if (move.part >= sum->groups)
        return;
    group_after(pieces, &sum->group[move.part], &sums->layout, color, move.from, move.to);
    for (int i = 0; i < pieces->count; i++)
        if (is_valued(sums, &pieces->group[i]))
            __builtin_prefetch(slot_of(sums, &pieces->group[i]));
}

void sum_after(struct sums *sums, struct sum *next, const struct sum *sum, int color,
               struct sum_move move, const struct pieces *pieces)
{
    const uint32_t *options;

    copy_sum(next, sum);
    if (move.part < sum->groups) {
        drop_group(next, move.part);
        add_groups(sums, next, pieces->group, pieces->count);
        return;
    }
    int i = move.part - sum->groups;
    drop_value(sums, next, i);
    cgt_options_of(sums->cgt, sum->value[i], color, &options);
    add_value(sums, next, options[move.from]);
}

static void shorten(struct sum_brief *brief, const struct sum *sum)
{
    brief->key[0] = sum->key[0];
    brief->key[1] = sum->key[1];
    brief->groups = (int8_t)(sum->groups > 1 || sum->values > 1 ? -1 : sum->groups);
    brief->values = (int8_t)sum->values;
    if (sum->groups == 1)
        brief->group = sum->group[0];
    if (sum->values == 1)
        brief->value = sum->value[0];
}

/* Whether the move only leaves another group instead of the one there is. */
static bool keeps_shape(const struct sums *sums, const struct sum *sum, struct sum_move move,
                        const struct pieces *pieces)
{
    return sum->groups == 1 && sum->values <= 1 && move.part == 0 && pieces->count == 1 &&
           !is_valued(sums, &pieces->group[0]);
}

enum sum_verdict sum_brief_after(struct sums *sums, struct sum_brief *brief, const struct sum *sum,
                                 int color, struct sum_move move, const struct pieces *pieces)
{
    struct sum next;

    if (!keeps_shape(sums, sum, move, pieces)) {
        sum_after(sums, &next, sum, color, move, pieces);
        shorten(brief, &next);
        return sum_look(sums, &next, !color);
    }
    for (int i = 0; i < 2; i++)
        brief->key[i] =
            sum->key[i] - group_key(&sum->group[0], i) + group_key(&pieces->group[0], i);
    brief->group = pieces->group[0];
    brief->groups = 1;
    brief->values = (int8_t)sum->values;
    if (sum->values == 1)
        brief->value = sum->value[0];
    return SUM_UNKNOWN;
}

bool sum_restore(struct sum *sum, const struct sum_brief *brief)
{
    if (brief->groups < 0)
        return false;
    sum->key[0] = brief->key[0];
    sum->key[1] = brief->key[1];
    sum->groups = brief->groups;
    sum->values = brief->values;
    if (brief->groups == 1)
        sum->group[0] = brief->group;
    if (brief->values == 1)
        sum->value[0] = brief->value;
    return true;
}

/* The side to move wins if no value but one does it harm, and it wins that one by moving first. It
 * loses if all values are good for the other side. */
enum sum_verdict sum_look(const struct sums *sums, const struct sum *sum, int color)
{
    int good = 0, good_for_other = 0, to_win_alone = 0;

    if (sum->groups > 0)
        return SUM_UNKNOWN;
    for (int i = 0; i < sum->values; i++) {
        bool is_good = cgt_good_for(sums->cgt, sum->value[i], color);
        bool is_good_for_other = cgt_good_for(sums->cgt, sum->value[i], !color);
        good += is_good;
        good_for_other += is_good_for_other;
        to_win_alone += !is_good && !is_good_for_other;
    }
    if (good_for_other == sum->values)
        return SUM_LOSS;
    return good + to_win_alone == sum->values && to_win_alone <= 1 ? SUM_WIN : SUM_UNKNOWN;
}

int sum_stones(const struct sum *sum)
{
    int count = 0;

    for (int i = 0; i < sum->groups; i++)
        count += group_stones(&sum->group[i]);
    return count;
}

enum guess_rest sum_rest(const struct sums *sums, const struct sum *sum, int color)
{
    bool good = true, bad = true;

    if (sum->values == 0)
        return REST_NONE;
    for (int i = 0; i < sum->values; i++) {
        good = good && cgt_good_for(sums->cgt, sum->value[i], color);
        bad = bad && cgt_good_for(sums->cgt, sum->value[i], !color);
    }
    return good ? REST_GOOD : bad ? REST_BAD : REST_OPEN;
}

static struct guess guess_of(const struct sums *sums, const struct sum *sum, int color)
{
    struct guess guess;

    guess_start(&guess, sums->guesser, sum_rest(sums, sum, color));
    for (int i = 0; i < sum->groups; i++)
        guess_add(&guess, sums->guesser, &sum->group[i], &sums->layout, color);
    return guess;
}

int sum_effort(const struct sums *sums, const struct sum *sum, int color)
{
    struct guess guess = guess_of(sums, sum, color);

    return guess_effort(&guess, sums->guesser);
}

int sum_odds(const struct sums *sums, const struct sum *sum, int color)
{
    struct guess guess = guess_of(sums, sum, color);

    return guess_odds(&guess, sums->guesser);
}

/* What follows for `color` if the sum without its value is decided, or SUM_UNKNOWN. */
static enum sum_verdict bound_of(const struct sums *sums, const struct sum_brief *brief, int color)
{
    if (brief->groups != 1 || brief->values != 1)
        return SUM_UNKNOWN;
    if (cgt_good_for(sums->cgt, brief->value, color))
        return SUM_WIN;
    return cgt_good_for(sums->cgt, brief->value, !color) ? SUM_LOSS : SUM_UNKNOWN;
}

/* The key of a sum without its value. */
static uint64_t bare_key(const struct sums *sums, const struct sum_brief *brief, int color)
{
    return brief->key[color] - cgt_key(sums->cgt, brief->value, color);
}

void sum_prefetch(const struct sums *sums, const struct table *table, const struct sum_brief *brief,
                  int color)
{
    prefetch_entry(table, brief->key[color]);
    if (bound_of(sums, brief, color) != SUM_UNKNOWN)
        prefetch_entry(table, bare_key(sums, brief, color));
}

enum sum_verdict sum_find(const struct sums *sums, const struct table *table,
                          const struct sum_brief *brief, int color)
{
    enum sum_verdict verdict = find_entry(table, brief->key[color], brief->key[!color]);
    enum sum_verdict bound = bound_of(sums, brief, color);

    if (verdict != SUM_UNKNOWN || bound == SUM_UNKNOWN)
        return verdict;
    verdict = find_entry(table, bare_key(sums, brief, color), bare_key(sums, brief, !color));
    return verdict == bound ? verdict : SUM_UNKNOWN;
}
