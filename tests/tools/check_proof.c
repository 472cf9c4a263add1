/*
 * Checks a proof by `ludus-bot solve --book`, with rules, values and a search of its own: nothing
 * here is shared with the solver.
 *
 * usage: check_proof FILE FILES RANKS [--first black] [--resume STATE] [--sample N [--seed S]]
 *
 * FILE has positions of Clobber on a board of at most 40 squares, one a line, that are said to be
 * lost for the side to move. The start of the board, or a position after a first move there, must
 * be one of them; White moves first, or Black with --first black. For each of them, every move must
 * have a reply that leads to another one, or be won by a position below the proof, a leaf. It
 * solves every leaf. With --resume it notes in STATE how far it is, and goes on from there.
 * --sample solves N leaves at random, which is a glance and no check.
 *
 * A position is the sum of its groups: connected stones of both colours. Groups of few stones are
 * replaced by their values in canonical form (Siegel, "Combinatorial Game Theory", chapter II). The
 * search goes through the rest. White is Left.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { SQUARES_MAX = 40, SIDE_MAX = 20, MOVES_MOST = 4 * SQUARES_MAX, LINE_BYTES = 256 };
enum { WHITE, BLACK };

static void fail(const char *what)
{
    fflush(stdout);
    fprintf(stderr, "check_proof: %s\n", what);
    exit(1);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (memory == NULL)
        fail("not enough memory");
    return memory;
}

/* Memory that is read all over is faster in huge pages, if the system has them. */
static void *allocate_huge(size_t count, size_t size)
{
    void *memory =
        mmap(NULL, count * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        fail("not enough memory");
    madvise(memory, count * size, MADV_HUGEPAGE);
    return memory;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 29) * 0x9e3779b97f4a7c15u;
    return x ^ x >> 32;
}

/* --- Values. A value is a number; 0 is the game without moves. --- */

enum { VALUES_MOST = 1 << 20, OPTIONS_MOST = 48, DEPTH_MOST = 12, MEMO_BITS = 20 };

#define NO_VALUE      UINT32_MAX
#define MEMO_OF(a, b) (mix((uint64_t)(a) << 32 | (b)) >> (64 - MEMO_BITS))

struct options {
    uint32_t at[2][OPTIONS_MOST]; /* Left's, Right's */
    int count[2];
};

struct value {
    uint32_t *at[2];
    uint8_t count[2], depth;
    uint32_t next; /* of the values with the same hash */
};

static struct value *values;
static uint32_t values_count, value_heads[1 << MEMO_BITS]; /* heads: the number + 1 */
static struct memo {
    uint64_t pair; /* + 1; 0: empty */
    uint32_t result;
} * compared, *added; /* of 1 << MEMO_BITS */

static bool is_le(uint32_t a, uint32_t b)
{
    if (a == b)
        return true;
    uint64_t pair = ((uint64_t)a << 32 | b) + 1;
    size_t slot = MEMO_OF(a, b);
    if (compared[slot].pair == pair)
        return compared[slot].result != 0;
    bool le = true;
    for (int i = 0; le && i < values[a].count[0]; i++)
        le = !is_le(b, values[a].at[0][i]);
    for (int i = 0; le && i < values[b].count[1]; i++)
        le = !is_le(values[b].at[1][i], a);
    compared[slot].pair = pair;
    compared[slot].result = le;
    return le;
}

/* How a value compares with the game that is being made, for each value: the round in which that
 * was found out, twice, plus the answer. */
static uint32_t *at_most, *at_least, comparing_round;

static bool is_le_made(uint32_t a, const struct options *made);

/* Whether the game being made is <= a. */
static bool made_is_le(const struct options *made, uint32_t a)
{
    if (at_least[a] >> 1 == comparing_round)
        return at_least[a] & 1;
    bool le = true;
    for (int i = 0; le && i < made->count[0]; i++)
        le = !is_le(a, made->at[0][i]);
    for (int i = 0; le && i < values[a].count[1]; i++)
        le = !is_le_made(values[a].at[1][i], made);
    at_least[a] = comparing_round << 1 | le;
    return le;
}

/* Whether a is <= the game being made. */
static bool is_le_made(uint32_t a, const struct options *made)
{
    if (at_most[a] >> 1 == comparing_round)
        return at_most[a] & 1;
    bool le = true;
    for (int i = 0; le && i < values[a].count[0]; i++)
        le = !made_is_le(made, values[a].at[0][i]);
    for (int i = 0; le && i < made->count[1]; i++)
        le = !is_le(made->at[1][i], a);
    at_most[a] = comparing_round << 1 | le;
    return le;
}

static bool add_option(struct options *options, int side, uint32_t value)
{
    if (value == NO_VALUE)
        return false;
    for (int i = 0; i < options->count[side]; i++)
        if (options->at[side][i] == value)
            return true;
    if (options->count[side] == OPTIONS_MOST)
        return false;
    options->at[side][options->count[side]++] = value;
    return true;
}

static void drop_dominated(struct options *options, int side)
{
    uint32_t *at = options->at[side];

    for (int i = 0; i < options->count[side]; i++)
        for (int j = 0; j < options->count[side]; j++)
            if (i != j && (side == 0 ? is_le(at[i], at[j]) : is_le(at[j], at[i]))) {
                at[i--] = at[--options->count[side]];
                break;
            }
}

/* Replaces a reversible option by the options of the answer to it. Returns false if there is none,
 * and sets *fits to false if the options become too many. */
static bool bypass_reversible(struct options *options, bool *fits)
{
    comparing_round++;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < options->count[side]; i++) {
            const struct value *option = &values[options->at[side][i]];
            for (int j = 0; j < option->count[!side]; j++) {
                uint32_t answer = option->at[!side][j];
                if (!(side == 0 ? is_le_made(answer, options) : made_is_le(options, answer)))
                    continue;
                options->at[side][i] = options->at[side][--options->count[side]];
                for (int k = 0; k < values[answer].count[side]; k++)
                    *fits = *fits && add_option(options, side, values[answer].at[side][k]);
                return true;
            }
        }
    return false;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

    return (left > right) - (left < right);
}

/* The value of the game with these options. */
static uint32_t make_value(struct options *options)
{
    bool fits = true;
    uint64_t hash = 1;
    int depth = 0;

    do {
        drop_dominated(options, 0);
        drop_dominated(options, 1);
    } while (bypass_reversible(options, &fits) && fits);
    if (!fits)
        return NO_VALUE;
    for (int side = 0; side < 2; side++) {
        qsort(options->at[side], (size_t)options->count[side], sizeof(uint32_t), compare_numbers);
        for (int i = 0; i < options->count[side]; i++) {
            uint32_t option = options->at[side][i];
            hash = mix(hash + option + 1);
            depth = values[option].depth >= depth ? values[option].depth + 1 : depth;
        }
        hash = mix(hash + 0x51ed270b);
    }
    uint32_t *head = &value_heads[hash >> (64 - MEMO_BITS)];
    for (uint32_t i = *head; i != 0; i = values[i - 1].next) {
        const struct value *value = &values[i - 1];
        bool same = true;
        for (int side = 0; side < 2; side++)
            same = same && value->count[side] == options->count[side] &&
                   memcmp(value->at[side], options->at[side],
                          sizeof(uint32_t) * value->count[side]) == 0;
        if (same)
            return i - 1;
    }
    if (values_count == VALUES_MOST)
        return NO_VALUE;
    struct value *value = &values[values_count];
    for (int side = 0; side < 2; side++) {
        size_t count = (size_t)options->count[side];
        value->at[side] = allocate(count + 1, sizeof(uint32_t));
        memcpy(value->at[side], options->at[side], count * sizeof(uint32_t));
        value->count[side] = (uint8_t)count;
    }
    value->depth = (uint8_t)depth;
    value->next = *head;
    *head = ++values_count;
    return values_count - 1;
}

static uint32_t add_values(uint32_t a, uint32_t b)
{
    struct options options;
    bool fits = true;

    if (a == 0 || b == 0)
        return a + b;
    if (values[a].depth + values[b].depth > DEPTH_MOST)
        return NO_VALUE;
    if (a > b)
        return add_values(b, a);
    uint64_t pair = ((uint64_t)a << 32 | b) + 1;
    size_t slot = MEMO_OF(a, b);
    if (added[slot].pair == pair)
        return added[slot].result;
    options.count[0] = options.count[1] = 0;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; fits && i < values[a].count[side]; i++)
            fits = add_option(&options, side, add_values(values[a].at[side][i], b));
        for (int i = 0; fits && i < values[b].count[side]; i++)
            fits = add_option(&options, side, add_values(a, values[b].at[side][i]));
    }
    uint32_t sum = fits ? make_value(&options) : NO_VALUE;
    added[slot].pair = pair;
    added[slot].result = sum;
    return sum;
}

/* --- Groups: in a box as large as they are, a square after the other, rank by rank. --- */

enum { STONES_VALUED = 8, GROUPS_MOST = SQUARES_MAX / 2, PIECES_MOST = 4, KNOWN_BITS = 20 };

struct group {
    uint64_t of[2]; /* by colour */
    int width, height;
};

static uint32_t reversed[1 << SIDE_MAX];
static uint64_t first_files[SIDE_MAX + 1]; /* the first file of a box, by its width */

static uint64_t flip_files(uint64_t set, int width, int height)
{
    uint64_t flipped = 0, rank = ((uint64_t)1 << width) - 1;

    for (int i = 0; i < height; i++)
        flipped |= (uint64_t)(reversed[set >> i * width & rank] >> (SIDE_MAX - width)) << i * width;
    return flipped;
}

static uint64_t flip_ranks(uint64_t set, int width, int height)
{
    uint64_t flipped = 0, rank = ((uint64_t)1 << width) - 1;

    for (int i = 0; i < height; i++)
        flipped |= (set >> i * width & rank) << (height - 1 - i) * width;
    return flipped;
}

static uint64_t transpose(uint64_t set, int width, int height)
{
    uint64_t transposed = 0;

    for (; set != 0; set &= set - 1) {
        int square = __builtin_ctzll(set);
        transposed |= (uint64_t)1 << (square % width * height + square / width);
    }
    return transposed;
}

/* The first of the images of a group that lie on their long side. */
static struct group first_image(struct group group)
{
    struct group first;

    if (group.width < group.height)
        group = (struct group){{transpose(group.of[0], group.width, group.height),
                                transpose(group.of[1], group.width, group.height)},
                               group.height,
                               group.width};
    first = group;
    for (int i = 1; i < (group.width == group.height ? 8 : 4); i++) {
        for (int color = 0; color < 2; color++)
            group.of[color] = i == 4  ? transpose(group.of[color], group.width, group.height)
                              : i % 2 ? flip_files(group.of[color], group.width, group.height)
                                      : flip_ranks(group.of[color], group.width, group.height);
        if (group.of[0] < first.of[0] || (group.of[0] == first.of[0] && group.of[1] < first.of[1]))
            first = group;
    }
    return first;
}

/* Cuts the stones of `part` out of a box. */
static struct group cut_out(const uint64_t of[2], uint64_t part, int width)
{
    int low = SIDE_MAX, high = 0, bottom = __builtin_ctzll(part) / width,
        top = (63 - __builtin_clzll(part)) / width;
    uint64_t files = 0, rank = ((uint64_t)1 << width) - 1;

    for (int i = bottom; i <= top; i++)
        files |= part >> i * width & rank;
    low = __builtin_ctzll(files);
    high = 63 - __builtin_clzll(files);
    struct group group = {.width = high - low + 1, .height = top - bottom + 1};
    uint64_t short_rank = ((uint64_t)1 << group.width) - 1;
    for (int color = 0; color < 2; color++)
        for (int i = bottom; i <= top; i++)
            group.of[color] |= ((of[color] & part) >> (i * width + low) & short_rank)
                               << (i - bottom) * group.width;
    return group;
}

/* Lists the groups in a box. */
static int split_box(const uint64_t of[2], int width, int height, struct group *groups)
{
    uint64_t left = of[0] | of[1], first = first_files[width];
    uint64_t board = ((uint64_t)1 << width * height) - 1;
    int count = 0;

    while (left != 0) {
        uint64_t part = left & -left, before = 0;
        while (part != before) {
            before = part;
            part |= ((part << 1 & ~first) | (part & ~first) >> 1 | part << width | part >> width) &
                    board & left;
        }
        left &= ~part;
        if ((part & of[0]) != 0 && (part & of[1]) != 0)
            groups[count++] = first_image(cut_out(of, part, width));
    }
    return count;
}

/* The stones of a colour that can move in each direction, and how far that is. */
static void find_moves(const struct group *group, int color, uint64_t from[4], int step[4])
{
    uint64_t own = group->of[color], other = group->of[!color], first = first_files[group->width];

    from[0] = own & (other & ~first) >> 1;
    from[1] = own & ~first & other << 1;
    from[2] = own & other >> group->width;
    from[3] = own & other << group->width;
    step[0] = 1;
    step[1] = -1;
    step[2] = group->width;
    step[3] = -group->width;
}

static int count_moves(const struct group *group, int color)
{
    uint64_t from[4];
    int step[4];

    find_moves(group, color, from, step);
    return __builtin_popcountll(from[0]) + __builtin_popcountll(from[1]) +
           __builtin_popcountll(from[2]) + __builtin_popcountll(from[3]);
}

static int split_after(const struct group *group, int color, int from, int to,
                       struct group pieces[PIECES_MOST])
{
    uint64_t of[2] = {group->of[0], group->of[1]};

    of[color] ^= (uint64_t)1 << from | (uint64_t)1 << to;
    of[!color] ^= (uint64_t)1 << to;
    return split_box(of, group->width, group->height, pieces);
}

static uint64_t hash_of(const struct group *group)
{
    return mix(mix(group->of[0] + 0x9e3779b97f4a7c15u * (uint64_t)group->width) + group->of[1]);
}

static bool are_equal(const struct group *a, const struct group *b)
{
    return a->of[0] == b->of[0] && a->of[1] == b->of[1] && a->width == b->width &&
           a->height == b->height;
}

static struct known {
    struct group group; /* width 0: none */
    uint32_t value;
} * known; /* of 1 << KNOWN_BITS */

static uint32_t value_of(const struct group *group)
{
    struct options options = {.count = {0, 0}};
    bool fits = true;

    if (__builtin_popcountll(group->of[0] | group->of[1]) > STONES_VALUED)
        return NO_VALUE;
    size_t slot = hash_of(group) >> (64 - KNOWN_BITS);
    if (are_equal(&known[slot].group, group))
        return known[slot].value;
    for (int color = 0; color < 2; color++) {
        uint64_t from[4];
        int step[4];
        find_moves(group, color, from, step);
        for (int i = 0; i < 4; i++)
            for (; from[i] != 0 && fits; from[i] &= from[i] - 1) {
                struct group pieces[PIECES_MOST];
                int square = __builtin_ctzll(from[i]);
                int count = split_after(group, color, square, square + step[i], pieces);
                uint32_t sum = 0;
                for (int j = 0; j < count && sum != NO_VALUE; j++) {
                    uint32_t value = value_of(&pieces[j]);
                    sum = value == NO_VALUE ? NO_VALUE : add_values(sum, value);
                }
                fits = add_option(&options, color, sum);
            }
    }
    uint32_t value = fits ? make_value(&options) : NO_VALUE;
    known[slot].group = *group;
    known[slot].value = value;
    return value;
}

/* --- Sums, and the search through them. --- */

enum { TABLE_BITS = 22, BUCKET = 4 };

struct sum {
    struct group group[GROUPS_MOST];
    uint32_t value[GROUPS_MOST];
    int groups, values;
};

static uint64_t *table; /* a bit for who wins, under the rest of a key; 0: empty */
static uint64_t nodes;

static void add_value(struct sum *sum, uint32_t value)
{
    for (int i = 0; i < sum->values && value != 0; i++) {
        uint32_t both = add_values(sum->value[i], value);
        if (both == NO_VALUE)
            continue;
        sum->value[i] = sum->value[--sum->values];
        value = both;
        i = -1;
    }
    if (value != 0)
        sum->value[sum->values++] = value;
}

static void add_group(struct sum *sum, const struct group *group)
{
    uint32_t value = value_of(group);

    if (value != NO_VALUE) {
        add_value(sum, value);
        return;
    }
    struct group other = *group;
    other.of[0] = group->of[1];
    other.of[1] = group->of[0];
    other = first_image(other);
    for (int i = 0; i < sum->groups; i++)
        if (are_equal(&sum->group[i], &other)) { /* both together are 0 */
            sum->group[i] = sum->group[--sum->groups];
            return;
        }
    sum->group[sum->groups++] = *group;
}

static struct sum sum_of(const uint64_t of[2], int width, int height)
{
    struct group groups[GROUPS_MOST];
    struct sum sum;

    sum.groups = sum.values = 0;
    for (int i = split_box(of, width, height, groups); i-- > 0;)
        add_group(&sum, &groups[i]);
    return sum;
}

struct key {
    uint64_t slot, check;
};

static struct key key_of(const struct sum *sum, int color)
{
    struct key key = {(uint64_t)color, 0};

    for (int i = 0; i < sum->groups; i++) {
        uint64_t hash = hash_of(&sum->group[i]);
        key.slot += hash;
        key.check += mix(hash + 0x2545f4914f6cdd1du);
    }
    for (int i = 0; i < sum->values; i++) {
        uint64_t hash = mix(sum->value[i] + ((uint64_t)1 << 40));
        key.slot += hash;
        key.check += mix(hash + 0x2545f4914f6cdd1du);
    }
    key.slot = mix(key.slot) >> (64 - TABLE_BITS) << 2;
    key.check = mix(key.check + (uint64_t)color) | 2;
    return key;
}

enum verdict { UNKNOWN, WINS, LOSES };

/* Whether `color`, which is to move, wins: by the value, or by what was searched before. */
static enum verdict look_up(const struct sum *sum, int color, const struct key *key)
{
    if (sum->groups == 0 && sum->values <= 1) {
        uint32_t value = sum->values == 0 ? 0 : sum->value[0];
        return (color == WHITE ? is_le(value, 0) : is_le(0, value)) ? LOSES : WINS;
    }
    for (int i = 0; i < BUCKET; i++) {
        uint64_t entry = table[key->slot + (uint64_t)i];
        if (((entry ^ key->check) & ~(uint64_t)1) == 0)
            return entry & 1 ? WINS : LOSES;
    }
    return UNKNOWN;
}

static void store(const struct key *key, bool won)
{
    uint64_t *bucket = &table[key->slot];

    memmove(bucket + 1, bucket, (BUCKET - 1) * sizeof *bucket);
    bucket[0] = (key->check & ~(uint64_t)1) | won;
}

struct child {
    struct sum sum;
    struct key key;
    int replies;
};

static int replies_to(const struct sum *sum, int color)
{
    int count = 0;

    for (int i = 0; i < sum->groups; i++)
        count += 4 * count_moves(&sum->group[i], color) - 2 * count_moves(&sum->group[i], !color) +
                 __builtin_popcountll(sum->group[i].of[0] | sum->group[i].of[1]);
    for (int i = 0; i < sum->values; i++)
        count += values[sum->value[i]].count[color] > 0;
    return count;
}

/* Keeps a child unless it is known to be won for the other side or there already. Returns true if
 * it is known to be lost. */
static bool keep_child(struct child *children, int *count, int color)
{
    struct child *child = &children[*count];

    child->key = key_of(&child->sum, !color);
    enum verdict verdict = look_up(&child->sum, !color, &child->key);
    bool is_new = verdict == UNKNOWN;
    for (int i = 0; i < *count && is_new; i++)
        is_new =
            children[i].key.slot != child->key.slot || children[i].key.check != child->key.check;
    if (is_new) {
        child->replies = replies_to(&child->sum, !color);
        ++*count;
    }
    return verdict == LOSES;
}

/* Lists the sums after all moves that may win. Returns -1 if one does. */
static int list_children(const struct sum *sum, int color, struct child *children)
{
    int count = 0;

    for (int i = 0; i < sum->values; i++) {
        const struct value *value = &values[sum->value[i]];
        for (int j = 0; j < value->count[color]; j++) {
            struct sum *next = &children[count].sum;
            *next = *sum;
            next->value[i] = next->value[--next->values];
            add_value(next, value->at[color][j]);
            if (keep_child(children, &count, color))
                return -1;
        }
    }
    for (int i = 0; i < sum->groups; i++) {
        uint64_t from[4];
        int step[4];
        find_moves(&sum->group[i], color, from, step);
        for (int j = 0; j < 4; j++)
            for (; from[j] != 0; from[j] &= from[j] - 1) {
                struct group pieces[PIECES_MOST];
                struct sum *next = &children[count].sum;
                int square = __builtin_ctzll(from[j]);
                int parts = split_after(&sum->group[i], color, square, square + step[j], pieces);
                *next = *sum;
                next->group[i] = next->group[--next->groups];
                for (int k = 0; k < parts; k++)
                    add_group(next, &pieces[k]);
                if (keep_child(children, &count, color))
                    return -1;
            }
    }
    return count;
}

/* Each ply of the line takes the children after those of the ply above. */
enum { CHILDREN_MOST = 1 << 14, CHILDREN_A_PLY = 1024 };

static struct child *children_stack;

static bool wins(const struct sum *sum, int color, int depth)
{
    struct key key = key_of(sum, color);
    enum verdict verdict = look_up(sum, color, &key);
    struct child *children = children_stack + depth;
    bool won = false;

    if (verdict != UNKNOWN)
        return verdict == WINS;
    if (depth > CHILDREN_MOST - CHILDREN_A_PLY)
        fail("a line is too long");
    nodes++;
    int count = list_children(sum, color, children);
    won = count < 0;
    for (int tried = 0; tried < count && !won; tried++) {
        int least = tried;
        for (int i = tried + 1; i < count; i++)
            if (children[i].replies < children[least].replies)
                least = i;
        struct child child = children[least];
        children[least] = children[tried];
        children[tried] = child;
        won = !wins(&child.sum, !color, depth + count);
    }
    store(&key, won);
    return won;
}

static void prepare_search(void)
{
    struct options none = {.count = {0, 0}};

    values = allocate(VALUES_MOST, sizeof *values);
    at_most = allocate(VALUES_MOST, sizeof *at_most);
    at_least = allocate(VALUES_MOST, sizeof *at_least);
    compared = allocate_huge(1 << MEMO_BITS, sizeof *compared);
    added = allocate_huge(1 << MEMO_BITS, sizeof *added);
    known = allocate_huge(1 << KNOWN_BITS, sizeof *known);
    table = allocate_huge((size_t)BUCKET << TABLE_BITS, sizeof *table);
    children_stack = allocate(CHILDREN_MOST + CHILDREN_A_PLY, sizeof *children_stack);
    for (int i = 0; i < 1 << SIDE_MAX; i++)
        for (int j = 0; j < SIDE_MAX; j++)
            reversed[i] |= (uint32_t)(i >> j & 1) << (SIDE_MAX - 1 - j);
    for (int width = 1; width <= SIDE_MAX; width++)
        for (int square = 0; square < 64; square += width)
            first_files[width] |= (uint64_t)1 << square;
    make_value(&none);
}

/* --- The proof: boards as the side to move sees them. --- */

static int width, height, squares;

struct board {
    uint64_t own, other;
};

/* Lists the boards after all moves. Returns how many there are. */
static int moves_of(struct board board, struct board *after)
{
    struct group box = {{board.own, board.other}, width, height};
    uint64_t from[4];
    int step[4], count = 0;

    find_moves(&box, 0, from, step);
    for (int i = 0; i < 4; i++)
        for (; from[i] != 0; from[i] &= from[i] - 1) {
            int square = __builtin_ctzll(from[i]);
            uint64_t to = (uint64_t)1 << (square + step[i]);
            after[count++] =
                (struct board){board.other ^ to, board.own ^ (uint64_t)1 << square ^ to};
        }
    return count;
}

/* What the stones in eight squares, from 8 * j on, add to the number of an image of the board: its
 * squares as ternary digits. */
static uint64_t digits[8][SQUARES_MAX / 8][256];

static void prepare_numbers(void)
{
    for (int image = 0; image < 8; image++) {
        uint64_t digit = 1;
        for (int i = squares; i-- > 0; digit *= 3) {
            int file = image & 4 ? i / height : i % width;
            int rank = image & 4 ? i % height : i / width;
            file = image & 1 ? width - 1 - file : file;
            rank = image & 2 ? height - 1 - rank : rank;
            int square = rank * width + file;
            for (int byte = 0; byte < 256; byte++)
                if (byte >> square % 8 & 1)
                    digits[image][square / 8][byte] += digit;
        }
    }
}

/* The least number of its images, unlike that of all other boards. */
static uint64_t least_number(struct board board)
{
    uint64_t least = UINT64_MAX;

    for (int image = 0; image < (width == height ? 8 : 4); image++) {
        uint64_t number = 0;
        for (int i = 0; i < SQUARES_MAX / 8; i++)
            number += digits[image][i][board.own >> 8 * i & 255] +
                      2 * digits[image][i][board.other >> 8 * i & 255];
        least = number < least ? number : least;
    }
    return least;
}

struct entry {
    uint64_t number;
    struct board board;
};

/* A sorted list without duplicates once sort_list() has run. */
struct list {
    struct entry *at;
    size_t count, capacity;
};

static void add_board(struct list *list, struct board board)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity == 0 ? 1024 : 2 * list->capacity;
        list->at = realloc(list->at, list->capacity * sizeof *list->at);
        if (list->at == NULL)
            fail("not enough memory");
    }
    list->at[list->count++] = (struct entry){least_number(board), board};
}

static int compare_entries(const void *a, const void *b)
{
    uint64_t left = ((const struct entry *)a)->number, right = ((const struct entry *)b)->number;

    return (left > right) - (left < right);
}

static void sort_list(struct list *list)
{
    size_t kept = 0;

    if (list->count > 0)
        qsort(list->at, list->count, sizeof *list->at, compare_entries);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || list->at[kept - 1].number != list->at[i].number)
            list->at[kept++] = list->at[i];
    list->count = kept;
}

static bool is_in(const struct list *list, struct board board)
{
    struct entry entry = {least_number(board), board};

    return list->count > 0 &&
           bsearch(&entry, list->at, list->count, sizeof entry, compare_entries) != NULL;
}

/* Whether a move leads to a position of the list. */
static bool has_reply(const struct list *list, struct board board)
{
    struct board after[MOVES_MOST];

    for (int i = moves_of(board, after); i-- > 0;)
        if (is_in(list, after[i]))
            return true;
    return false;
}

static struct board start_of(int first)
{
    struct board board = {0, 0};

    for (int square = 0; square < squares; square++) {
        int color = (square % width + square / width) % 2 == 0 ? BLACK : WHITE;
        *(color == first ? &board.own : &board.other) |= (uint64_t)1 << square;
    }
    return board;
}

/* Reads a position such as pP1/Pp1 w, the highest rank first. */
static struct board read_board(const char *line)
{
    uint64_t white = 0, black = 0;
    int rank = height - 1, file = 0;

    for (; *line != ' '; line++) {
        if (*line == '/' && file == width && rank > 0) {
            rank--;
            file = 0;
        } else if (*line >= '0' && *line <= '9') {
            int empty = (int)strtol(line, NULL, 10);
            file += empty;
            line += empty >= 10;
        } else if ((*line == 'P' || *line == 'p') && file < width) {
            *(*line == 'P' ? &white : &black) |= (uint64_t)1 << (rank * width + file++);
        } else {
            fail("a line is no position of this board");
        }
        if (file > width)
            fail("a rank is too long");
    }
    if (rank != 0 || file != width || (line[1] != 'w' && line[1] != 'b'))
        fail("a line is no position of this board");
    return line[1] == 'w' ? (struct board){white, black} : (struct board){black, white};
}

static void read_proof(struct list *list, const char *path)
{
    char line[LINE_BYTES];
    FILE *file = fopen(path, "r");

    if (file == NULL)
        fail("the file cannot be opened");
    while (fgets(line, sizeof line, file) != NULL)
        add_board(list, read_board(line));
    fclose(file);
    sort_list(list);
}

static void check_start(const struct list *lost, int first)
{
    struct board start = start_of(first);
    bool second = is_in(lost, start);

    if (!second && !has_reply(lost, start))
        fail("neither the start nor a position after a first move is in the proof");
    int winner = second ? !first : first;
    printf("to be shown: %s, moving %s, wins\n", winner == WHITE ? "white" : "black",
           second ? "second" : "first");
}

/* Collects the positions without a reply in the proof. */
static void collect_leaves(const struct list *lost, struct list *leaves)
{
    struct board after[MOVES_MOST];
    size_t answered = 0;

    for (size_t i = 0; i < lost->count; i++)
        for (int j = moves_of(lost->at[i].board, after); j-- > 0;)
            if (has_reply(lost, after[j]))
                answered++;
            else
                add_board(leaves, after[j]);
    sort_list(leaves);
    printf("positions: %zu\nmoves answered within the proof: %zu\nleaves: %zu\n", lost->count,
           answered, leaves->count);
    fflush(stdout);
}

static void solve_leaf(const struct board *board)
{
    struct sum sum = sum_of((const uint64_t[]){board->own, board->other}, width, height);

    if (!wins(&sum, WHITE, 0))
        fail("the proof is false: a leaf is lost for the side that was to win");
}

/* A proof is told from others by the sum of its leaves. */
static uint64_t sum_up(const struct list *leaves)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < leaves->count; i++)
        sum = mix(sum + leaves->at[i].number);
    return sum;
}

/* Reads how many leaves were solved before. */
static size_t read_state(const char *path, uint64_t leaves)
{
    FILE *file = fopen(path, "r");
    uint64_t of;
    size_t done;

    if (file == NULL)
        return 0;
    if (fscanf(file, "leaves %" SCNx64 " solved %zu", &of, &done) != 2 || of != leaves)
        fail("the state is that of another proof");
    fclose(file);
    return done;
}

static void write_state(const char *path, uint64_t leaves, size_t done)
{
    char other[LINE_BYTES];

    snprintf(other, sizeof other, "%s.new", path);
    FILE *file = fopen(other, "w");
    if (file == NULL || fprintf(file, "leaves %" PRIx64 " solved %zu\n", leaves, done) < 0 ||
        fclose(file) != 0 || rename(other, path) != 0)
        fail("the state cannot be written");
}

static void solve_all(const struct list *leaves, const char *state)
{
    enum { SECONDS_A_STATE = 10 };
    uint64_t which = sum_up(leaves);
    size_t before = state == NULL ? 0 : read_state(state, which), i = before;
    time_t last = time(NULL);

    for (; i < leaves->count; i++) {
        solve_leaf(&leaves->at[i].board);
        if (state != NULL && time(NULL) >= last + SECONDS_A_STATE) {
            write_state(state, which, i + 1);
            last = time(NULL);
        }
    }
    if (state != NULL)
        write_state(state, which, i);
    printf("leaves solved before: %zu\nleaves solved: %zu\nnodes: %" PRIu64
           "\nproven: every leaf is won\n",
           before, i - before, nodes);
}

static void solve_sample(const struct list *leaves, size_t samples, uint64_t seed)
{
    for (size_t i = 0; i < samples && leaves->count > 0; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        solve_leaf(&leaves->at[(seed >> 20) % leaves->count].board);
    }
    printf("leaves solved: %zu at random, all won\nnodes: %" PRIu64
           "\na glance: the other leaves were not solved, nothing is proven\n",
           samples, nodes);
}

int main(int argc, char **argv)
{
    static const char usage[] = "usage: check_proof FILE FILES RANKS [--first black] [--resume "
                                "STATE] [--sample N [--seed S]]";
    struct list lost = {.count = 0}, leaves = {.count = 0};
    const char *state = NULL, *sample = NULL, *seed = "1", *first = "white";

    if (argc < 4 || argc % 2 != 0)
        fail(usage);
    for (int i = 4; i < argc; i += 2) {
        const char **option = strcmp(argv[i], "--resume") == 0   ? &state
                              : strcmp(argv[i], "--sample") == 0 ? &sample
                              : strcmp(argv[i], "--first") == 0  ? &first
                              : strcmp(argv[i], "--seed") == 0   ? &seed
                                                                 : NULL;
        if (option == NULL)
            fail(usage);
        *option = argv[i + 1];
    }
    if (strcmp(first, "black") != 0 && strcmp(first, "white") != 0)
        fail("--first: write white or black");
    width = (int)strtol(argv[2], NULL, 10);
    height = (int)strtol(argv[3], NULL, 10);
    squares = width * height;
    if (width < 1 || height < 1 || width > SIDE_MAX || height > SIDE_MAX || squares > SQUARES_MAX)
        fail("the board must have 1 to 40 squares, of at most 20 files and ranks");
    prepare_search();
    prepare_numbers();
    read_proof(&lost, argv[1]);
    check_start(&lost, strcmp(first, "black") == 0 ? BLACK : WHITE);
    collect_leaves(&lost, &leaves);
    if (sample != NULL)
        solve_sample(&leaves, strtoul(sample, NULL, 10), strtoull(seed, NULL, 10));
    else
        solve_all(&leaves, state);
    free(lost.at);
    free(leaves.at);
    return 0;
}
