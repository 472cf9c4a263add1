#include "cgt.h"

#include <string.h>

#include "common/xmalloc.h"
#include "common/zobrist.h"

/* The summands of a sum that is worked out are together at most this deep. */
enum { DEPTH_MAX = 12 };
enum { OPTIONS_KEPT_MAX = 20, OPTIONS_AVERAGE = 6 };

struct value {
    uint64_t key[2];  /* see cgt_key() */
    uint32_t first;   /* in the pool: white's options, then black's */
    uint8_t count[2]; /* of options, by color */
    uint8_t depth;    /* the longest sequence of moves */
    uint32_t below;   /* a bit for each of scale[]: whether the value is <= it */
    uint32_t above;   /* whether the value is >= it */
};

/*
 * Small games that all values are compared with once, which then mostly tells how two values
 * compare with each other. The sets of options are bits for earlier games.
 */
enum { SCALE = 32 };

static const struct {
    uint32_t left, right;
} scale[SCALE] = {
    {0x0, 0x0},    /* 0 */
    {0x1, 0x1},    /* star */
    {0x3, 0x3},    /* star 2 */
    {0x1, 0x2},    /* up */
    {0x2, 0x1},    /* down */
    {0x3, 0x1},    /* up star */
    {0x1, 0x3},    /* down star */
    {0x1, 0x20},   /* double up */
    {0x40, 0x1},   /* double down */
    {0x1, 0x8},    /* double up star */
    {0x10, 0x1},   /* double down star */
    {0x1, 0x200},  /* triple up */
    {0x400, 0x1},  /* triple down */
    {0x1, 0x80},   /* triple up star */
    {0x100, 0x1},  /* triple down star */
    {0x8, 0x10},   /* up or down */
    {0x8, 0x1},    /* up or 0 */
    {0x1, 0x10},   /* 0 or down */
    {0x8, 0x2},    /* up or star */
    {0x2, 0x10},   /* star or down */
    {0x20, 0x1},   /* up star or 0 */
    {0x1, 0x40},   /* 0 or down star */
    {0x3, 0x2},    /* 0 and star, or star */
    {0x2, 0x3},    /* star, or 0 and star */
    {0x8, 0x8},    /* up or up */
    {0x10, 0x10},  /* down or down */
    {0x20, 0x20},  /* up star or up star */
    {0x40, 0x40},  /* down star or down star */
    {0x80, 0x1},   /* double up or 0 */
    {0x1, 0x100},  /* 0 or double down */
    {0x80, 0x100}, /* double up or double down */
    {0x8, 0x100},  /* up or double down */
};

struct sum {
    uint32_t a, b, value;
};

enum { COMPARED_MAX = 1 << 15 };

/* A slot of the tables of comparisons and sums holds the last result that fell on it. */
struct cgt {
    struct value *values; /* the one at `count` is being made */
    uint32_t count, capacity;
    uint32_t *pool;
    uint32_t pool_count, pool_capacity;
    uint32_t *index; /* open addressing by key; 0: empty, else the value + 1 */
    uint64_t *compared;
    struct sum *sums;
    uint32_t mask;          /* of the index and of the sums */
    uint32_t compared_mask; /* small, so that the table stays in the processor's cache */
};

static const uint32_t *options_of(const struct cgt *cgt, uint32_t value, int color)
{
    const struct value *v = &cgt->values[value];

    return cgt->pool + v->first + (color == 0 ? 0 : v->count[0]);
}

static bool is_le(struct cgt *cgt, uint32_t a, uint32_t b);

/* a <= b exactly when no left option of a is >= b and no right option of b is <= a. */
static bool is_le_by_options(struct cgt *cgt, uint32_t a, uint32_t b)
{
    const uint32_t *lefts = options_of(cgt, a, 0), *rights = options_of(cgt, b, 1);

    for (int i = 0; i < cgt->values[a].count[0]; i++)
        if (is_le(cgt, b, lefts[i]))
            return false;
    for (int i = 0; i < cgt->values[b].count[1]; i++)
        if (is_le(cgt, rights[i], a))
            return false;
    return true;
}

static bool is_le(struct cgt *cgt, uint32_t a, uint32_t b)
{
    const struct value *v = &cgt->values[a], *w = &cgt->values[b];

    if (a == b || (v->below & w->above) != 0)
        return true;
    if ((w->below & ~v->below) != 0 || (v->above & ~w->above) != 0)
        return false;
    if (a == cgt->count || b == cgt->count) /* being made */
        return is_le_by_options(cgt, a, b);
    uint64_t pair = ((uint64_t)a << 31 | b) << 1;
    uint64_t *slot = &cgt->compared[splitmix64(pair) & cgt->compared_mask];
    if ((*slot & ~(uint64_t)1) == pair)
        return *slot & 1;
    bool le = is_le_by_options(cgt, a, b);
    *slot = pair | le;
    return le;
}

/* Whether `color` likes b at least as much as a. */
static bool is_as_good(struct cgt *cgt, int color, uint32_t a, uint32_t b)
{
    return color == 0 ? is_le(cgt, a, b) : is_le(cgt, b, a);
}

bool cgt_option_add(struct cgt_options *options, int color, uint32_t value)
{
    int *count = &options->count[color];

    if (value == CGT_NONE)
        return false;
    for (int i = 0; i < *count; i++)
        if (options->option[color][i] == value)
            return true;
    if (*count == CGT_OPTIONS_MAX)
        return false;
    options->option[color][(*count)++] = value;
    return true;
}

/* Drops the dominated options of a side: those that are no better than another. */
static void drop_dominated(struct cgt *cgt, struct cgt_options *options, int color)
{
    uint32_t *option = options->option[color];
    int count = options->count[color];

    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (i != j && is_as_good(cgt, color, option[i], option[j])) {
                option[i--] = option[--count];
                break;
            }
    options->count[color] = count;
}

/* Compares the next value with the scale: a <= b by the rule of is_le_by_options(). */
static void compare_with_scale(struct cgt *cgt)
{
    struct value *next = &cgt->values[cgt->count];
    const uint32_t *lefts = options_of(cgt, cgt->count, 0),
                   *rights = options_of(cgt, cgt->count, 1);
    uint32_t not_below = 0, not_above = 0;

    for (int i = 0; i < next->count[0]; i++)
        not_below |= cgt->values[lefts[i]].above;
    for (int i = 0; i < next->count[1]; i++)
        not_above |= cgt->values[rights[i]].below;
    for (int i = 0; i < SCALE; i++) {
        bool is_below = (not_below >> i & 1) == 0 && (next->above & scale[i].right) == 0;
        bool is_above = (not_above >> i & 1) == 0 && (next->below & scale[i].left) == 0;
        next->below |= (uint32_t)is_below << i;
        next->above |= (uint32_t)is_above << i;
    }
}

/* Writes the options into the pool, as those of the next value. */
static bool write_next(struct cgt *cgt, const struct cgt_options *options)
{
    struct value *next = &cgt->values[cgt->count];
    uint32_t count = (uint32_t)(options->count[0] + options->count[1]);

    if (cgt->count == cgt->capacity || cgt->pool_capacity - cgt->pool_count < count)
        return false;
    *next = (struct value){.first = cgt->pool_count};
    for (int color = 0; color < 2; color++) {
        next->count[color] = (uint8_t)options->count[color];
        memcpy(cgt->pool + next->first + (color == 0 ? 0 : next->count[0]), options->option[color],
               sizeof(uint32_t) * (size_t)options->count[color]);
    }
    compare_with_scale(cgt);
    return true;
}

/* Replaces option i by the options of `color` in `answer`. */
static bool replace(struct cgt *cgt, struct cgt_options *options, int color, int i, uint32_t answer)
{
    const uint32_t *from = options_of(cgt, answer, color);
    int count = cgt->values[answer].count[color];

    options->option[color][i] = options->option[color][--options->count[color]];
    for (int j = 0; j < count; j++)
        if (!cgt_option_add(options, color, from[j]))
            return false;
    return true;
}

/* Bypasses the first reversible option: one to which the other side has an answer that it likes at
 * least as much as the game itself. Returns 1 if there was one, 0 if not, -1 if the options became
 * too many. */
static int bypass_reversible(struct cgt *cgt, struct cgt_options *options, int color)
{
    for (int i = 0; i < options->count[color]; i++) {
        uint32_t option = options->option[color][i];
        const uint32_t *answers = options_of(cgt, option, !color);
        for (int j = 0; j < cgt->values[option].count[!color]; j++)
            if (is_as_good(cgt, !color, cgt->count, answers[j]))
                return replace(cgt, options, color, i, answers[j]) ? 1 : -1;
    }
    return 0;
}

static bool simplify(struct cgt *cgt, struct cgt_options *options)
{
    int changed = 1;

    while (changed == 1) {
        drop_dominated(cgt, options, 0);
        drop_dominated(cgt, options, 1);
        if (!write_next(cgt, options))
            return false;
        changed = bypass_reversible(cgt, options, 0);
        if (changed == 0)
            changed = bypass_reversible(cgt, options, 1);
    }
    return changed == 0 && options->count[0] <= OPTIONS_KEPT_MAX &&
           options->count[1] <= OPTIONS_KEPT_MAX;
}

/* The key of the next value as `viewer` sees it. */
static uint64_t key_of_next(const struct cgt *cgt, int viewer)
{
    const struct value *next = &cgt->values[cgt->count];
    uint64_t key = 0x5851f42d4c957f2du;

    for (int color = 0; color < 2; color++) {
        const uint32_t *options = options_of(cgt, cgt->count, color);
        uint64_t sum = 0;
        for (int i = 0; i < next->count[color]; i++)
            sum += splitmix64(cgt->values[options[i]].key[viewer] + 0x9e3779b97f4a7c15u);
        key += splitmix64(sum + (color == viewer ? 0x2545f4914f6cdd1du : 0x14057b7ef767814fu));
    }
    return splitmix64(key);
}

/* The index slot of the value with these keys, or an empty one for it. */
static uint32_t *find(struct cgt *cgt, const uint64_t key[2])
{
    uint32_t i = (uint32_t)key[0] & cgt->mask;

    for (; cgt->index[i] != 0; i = (i + 1) & cgt->mask) {
        const struct value *other = &cgt->values[cgt->index[i] - 1];
        if (other->key[0] == key[0] && other->key[1] == key[1])
            break;
    }
    return &cgt->index[i];
}

static uint8_t depth_of_next(const struct cgt *cgt)
{
    const struct value *next = &cgt->values[cgt->count];
    int depth = 0;

    for (int i = 0; i < next->count[0] + next->count[1]; i++) {
        int below = cgt->values[cgt->pool[next->first + (uint32_t)i]].depth + 1;
        depth = below > depth ? below : depth;
    }
    return (uint8_t)depth;
}

/* Keeps the next value, which is in canonical form, or returns the equal one kept before. */
static uint32_t keep_next(struct cgt *cgt)
{
    struct value *next = &cgt->values[cgt->count];

    next->key[0] = key_of_next(cgt, 0);
    next->key[1] = key_of_next(cgt, 1);
    uint32_t *slot = find(cgt, next->key);
    if (*slot != 0)
        return *slot - 1;
    next->depth = depth_of_next(cgt);
    cgt->pool_count += (uint32_t)next->count[0] + next->count[1];
    *slot = ++cgt->count;
    return cgt->count - 1;
}

uint32_t cgt_make(struct cgt *cgt, struct cgt_options *options)
{
    return simplify(cgt, options) ? keep_next(cgt) : CGT_NONE;
}

/* Adds the options of a + b by moves in `a`. */
static bool add_options(struct cgt *cgt, struct cgt_options *options, uint32_t a, uint32_t b)
{
    for (int color = 0; color < 2; color++)
        for (int i = 0; i < cgt->values[a].count[color]; i++)
            if (!cgt_option_add(options, color, cgt_add(cgt, options_of(cgt, a, color)[i], b)))
                return false;
    return true;
}

static uint32_t sum_by_options(struct cgt *cgt, uint32_t a, uint32_t b)
{
    struct cgt_options options;

    options.count[0] = options.count[1] = 0;
    if (cgt->values[a].depth + cgt->values[b].depth > DEPTH_MAX ||
        !add_options(cgt, &options, a, b) || !add_options(cgt, &options, b, a))
        return CGT_NONE;
    return cgt_make(cgt, &options);
}

uint32_t cgt_add(struct cgt *cgt, uint32_t a, uint32_t b)
{
    if (a == CGT_NONE || b == CGT_NONE)
        return CGT_NONE;
    if (a == CGT_ZERO || b == CGT_ZERO)
        return a + b;
    const struct value *v = &cgt->values[a], *w = &cgt->values[b];
    if (v->key[0] == w->key[1] && v->key[1] == w->key[0])
        return CGT_ZERO; /* b is -a */
    if (a > b)
        return cgt_add(cgt, b, a);
    struct sum *slot = &cgt->sums[splitmix64((uint64_t)a << 32 | b) & cgt->mask];
    if (slot->a != a || slot->b != b) {
        uint32_t value = sum_by_options(cgt, a, b);
        *slot = (struct sum){a, b, value};
    }
    return slot->value;
}

bool cgt_good_for(const struct cgt *cgt, uint32_t value, int color)
{
    const struct value *v = &cgt->values[value];

    return (color == 0 ? v->above : v->below) & 1;
}

int cgt_options_of(const struct cgt *cgt, uint32_t value, int color, const uint32_t **options)
{
    *options = options_of(cgt, value, color);
    return cgt->values[value].count[color];
}

uint64_t cgt_key(const struct cgt *cgt, uint32_t value, int color)
{
    return cgt->values[value].key[color];
}

bool cgt_is_full(const struct cgt *cgt)
{
    return cgt->count > cgt->capacity / 4 * 3 || cgt->pool_count > cgt->pool_capacity / 4 * 3;
}

void cgt_clear(struct cgt *cgt)
{
    size_t slots = (size_t)cgt->mask + 1;

    cgt->count = cgt->pool_count = 0;
    memset(cgt->index, 0, slots * sizeof *cgt->index);
    memset(cgt->sums, 0, slots * sizeof *cgt->sums);
    memset(cgt->compared, 0, ((size_t)cgt->compared_mask + 1) * sizeof *cgt->compared);
    cgt_make(cgt, &(struct cgt_options){.count = {0, 0}}); /* CGT_ZERO */
}

/* The slots of a table: a power of two, twice the number of values. */
static uint32_t slots_for(size_t bytes)
{
    size_t a_slot = (sizeof(struct value) + OPTIONS_AVERAGE * sizeof(uint32_t)) / 2 +
                    sizeof(uint32_t) + sizeof(uint64_t) + sizeof(struct sum);
    uint32_t slots = 1024;

    while (slots < 1u << 24 && 2 * slots * a_slot <= bytes)
        slots *= 2;
    return slots;
}

struct cgt *cgt_new(size_t bytes, struct arena *arena)
{
    struct cgt *cgt = xcalloc(1, sizeof *cgt);
    uint32_t slots = slots_for(bytes);

    cgt->mask = slots - 1;
    cgt->compared_mask = (slots < COMPARED_MAX ? slots : COMPARED_MAX) - 1;
    cgt->capacity = slots / 2;
    cgt->pool_capacity = slots / 2 * OPTIONS_AVERAGE;
    cgt->values = arena_take(arena, cgt->capacity + 1, sizeof *cgt->values);
    cgt->pool = arena_take(arena, cgt->pool_capacity, sizeof *cgt->pool);
    cgt->index = arena_take(arena, slots, sizeof *cgt->index);
    cgt->compared = arena_take(arena, cgt->compared_mask + 1, sizeof *cgt->compared);
    cgt->sums = arena_take(arena, slots, sizeof *cgt->sums);
    cgt_make(cgt, &(struct cgt_options){.count = {0, 0}}); /* CGT_ZERO */
    return cgt;
}
