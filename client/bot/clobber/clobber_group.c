#include "clobber_group.h"

__extension__ typedef unsigned __int128 wide;

/* For functions with a parameter `stride`: where it is a constant, that saves divisions and tests.
 */
#define INLINE static inline __attribute__((always_inline))

/* The first and the last file of words with a stride. */
struct layout {
    uint64_t file_a, last_file;
};

INLINE struct layout layout_of(int stride)
{
    if (stride == 8)
        return (struct layout){0x0101010101010101u, 0x8080808080808080u};
    uint64_t a = stride == 10 ? 0x0004010040100401u : 0x0001001001001001u;
    return (struct layout){a, a << (stride - 1)};
}

INLINE int ranks_of(int stride)
{
    return 64 / stride;
}

static uint64_t swap_bits(uint64_t set, uint64_t mask, int distance)
{
    uint64_t differ = (set ^ set >> distance) & mask;

    return set ^ differ ^ differ << distance;
}

/* Mirrors the whole board of the stride: the top rank becomes the bottom one. */
INLINE uint64_t flip_ranks(uint64_t set, int stride)
{
    if (stride == 8)
        return __builtin_bswap64(set);
    uint64_t rank = ((uint64_t)1 << stride) - 1;
    for (int low = 0, high = ranks_of(stride) - 1; low < high; low++, high--)
        set = swap_bits(set, rank << low * stride, (high - low) * stride);
    return set;
}

/* Mirrors the whole board: the first file becomes the last one. */
INLINE uint64_t flip_files(uint64_t set, int stride)
{
    set = (set >> 1 & 0x5555555555555555u) | (set & 0x5555555555555555u) << 1;
    set = (set >> 2 & 0x3333333333333333u) | (set & 0x3333333333333333u) << 2;
    set = (set >> 4 & 0x0f0f0f0f0f0f0f0fu) | (set & 0x0f0f0f0f0f0f0f0fu) << 4;
    if (stride == 8)
        return set;
    set = __builtin_bswap64(set) >> (64 - stride * ranks_of(stride)); /* flips both */
    return flip_ranks(set, stride);
}

/* Turns files into ranks. The result must fit. */
INLINE uint64_t transpose(uint64_t set, int stride)
{
    if (stride == 8) {
        set = swap_bits(set, 0x00aa00aa00aa00aau, 7);
        set = swap_bits(set, 0x0000cccc0000ccccu, 14);
        return swap_bits(set, 0x00000000f0f0f0f0u, 28);
    }
    uint64_t transposed = 0;
    for (; set != 0; set &= set - 1) {
        int square = __builtin_ctzll(set);
        transposed |= (uint64_t)1 << (square % stride * stride + square / stride);
    }
    return transposed;
}

/* The bounding box of a set. */
struct box {
    int file, rank, width, height;
};

INLINE struct box box_of(uint64_t set, int stride)
{
    uint64_t files = set | set >> 2 * stride | set >> 4 * stride;
    int low = __builtin_ctzll(set) / stride, high = (63 - __builtin_clzll(set)) / stride;

    if (stride == 8)
        files |= set >> 6 * stride;
    files = (files | files >> stride) & (((uint64_t)1 << stride) - 1);
    int first = __builtin_ctzll(files), last = 63 - __builtin_clzll(files);
    return (struct box){first, low, last - first + 1, high - low + 1};
}

/* The canonical form is the first of the images by the squares of all stones, then by the smaller
 * of the two colours' sets. So exchanging the colours does not change which one is first, unless an
 * image of the group is the group with its colours exchanged. */
static void consider(struct group *best, uint64_t white, uint64_t black)
{
    uint64_t all = white | black, all_best = best->stones[0] | best->stones[1];
    uint64_t lesser = white < black ? white : black;
    uint64_t lesser_best = best->stones[0] < best->stones[1] ? best->stones[0] : best->stones[1];

    if (all != all_best ? all < all_best : lesser < lesser_best)
        *best = (struct group){{white, black}, false};
    else if (white == best->stones[1] && black == best->stones[0])
        best->is_own_mirror = true;
}

static uint64_t lesser_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Considers a group in the corner and its mirror images: those whose squares come first. */
INLINE void consider_flips(struct group *best, uint64_t white, uint64_t black, int stride,
                           const struct box *box)
{
    int left = stride - box->width, down = (ranks_of(stride) - box->height) * stride;
    uint64_t all = white | black, turned = flip_files(all, stride) >> left;
    uint64_t image[4] = {all, turned, flip_ranks(all, stride) >> down,
                         flip_ranks(turned, stride) >> down};
    uint64_t least = lesser_of(lesser_of(image[0], image[1]), lesser_of(image[2], image[3]));

    if (least > (best->stones[0] | best->stones[1]))
        return;
    for (int i = 0; i < 4; i++) {
        if (image[i] != least)
            continue;
        uint64_t flipped = i & 1 ? flip_files(white, stride) >> left : white;
        flipped = i & 2 ? flip_ranks(flipped, stride) >> down : flipped;
        consider(best, flipped, least ^ flipped);
    }
}

/* The first image of the squares of a group, and the way there. */
struct first {
    uint64_t all;
    bool flips_files, flips_ranks;
    bool is_only; /* no other image has these squares */
};

INLINE struct first first_of(uint64_t all, int stride, const struct box *box)
{
    int down = (ranks_of(stride) - box->height) * stride;
    uint64_t turned = flip_files(all, stride) >> (stride - box->width);
    uint64_t upset = flip_ranks(all, stride) >> down, both = flip_ranks(turned, stride) >> down;
    uint64_t least = lesser_of(lesser_of(all, turned), lesser_of(upset, both));
    int images = (all == least) + (turned == least) + (upset == least) + (both == least);

    return (struct first){least, turned == least || both == least, upset == least || both == least,
                          images == 1};
}

INLINE struct group first_group(uint64_t white, const struct first *first, int stride,
                                const struct box *box)
{
    if (first->flips_files)
        white = flip_files(white, stride) >> (stride - box->width);
    if (first->flips_ranks)
        white = flip_ranks(white, stride) >> (ranks_of(stride) - box->height) * stride;
    return (struct group){{white, first->all ^ white}, false};
}

/* The canonical form of a group in the corner, by all of its images. */
INLINE struct group first_by_all(uint64_t white, uint64_t black, int stride, const struct box *box)
{
    struct group best = {{UINT64_MAX, UINT64_MAX}, false};

    consider_flips(&best, white, black, stride, box);
    if (box->width == box->height)
        consider_flips(&best, transpose(white, stride), transpose(black, stride), stride, box);
    if (best.is_own_mirror && best.stones[0] > best.stones[1])
        best = (struct group){{best.stones[1], best.stones[0]}, true};
    return best;
}

INLINE struct group canonical_in(uint64_t white, uint64_t black, int stride)
{
    struct box box = box_of(white | black, stride);

    white >>= box.rank * stride + box.file;
    black >>= box.rank * stride + box.file;
    if (box.width < box.height) {
        white = transpose(white, stride);
        black = transpose(black, stride);
        box = (struct box){0, 0, box.height, box.width};
    }
    struct first first = first_of(white | black, stride, &box);
    if (box.width == box.height) {
        uint64_t turned = transpose(white, stride);
        struct first other = first_of(turned | transpose(black, stride), stride, &box);
        first.is_only = first.is_only && other.is_only && first.all != other.all;
        if (other.all < first.all) {
            other.is_only = first.is_only;
            first = other;
            white = turned;
            black = transpose(black, stride);
        }
    }
    return first.is_only ? first_group(white, &first, stride, &box)
                         : first_by_all(white, black, stride, &box);
}

static struct group canonical(uint64_t white, uint64_t black, int stride)
{
    if (stride == 8)
        return canonical_in(white, black, 8);
    return stride == 10 ? canonical_in(white, black, 10) : canonical_in(white, black, 12);
}

INLINE uint64_t grown(uint64_t set, int stride, const struct layout *layout)
{
    return set | (set & ~layout->last_file) << 1 | (set & ~layout->file_a) >> 1 | set << stride |
           set >> stride;
}

/* Adds a component unless all of its stones have one colour. */
INLINE void add(struct pieces *pieces, uint64_t white, uint64_t black, int stride)
{
    if (white != 0 && black != 0)
        pieces->group[pieces->count++] = canonical(white, black, stride);
}

/* Adds the components of a group that has lost the stone next to those in `near`, so that each
 * component has one of them. */
INLINE void split(struct pieces *pieces, uint64_t white, uint64_t black, uint64_t near, int stride)
{
    struct layout layout = layout_of(stride);
    uint64_t left = white | black;

    while ((near & (near - 1)) != 0) {
        uint64_t part = 0, more = near & -near;
        while (more != part && (near & ~more) != 0) {
            part = more;
            more = grown(part, stride, &layout) & left;
        }
        if ((near & ~more) == 0)
            break;
        add(pieces, part & white, part & black, stride);
        left &= ~part;
        near &= ~part;
    }
    add(pieces, left & white, left & black, stride);
}

/* Squares whose neighbours are not all connected through the squares around them: without a stone
 * there, a group may fall apart. */
INLINE uint64_t cuts(uint64_t all, int stride, const struct layout *layout)
{
    uint64_t right = (all & ~layout->file_a) >> 1, left = (all & ~layout->last_file) << 1;
    uint64_t up = all >> stride, down = all << stride;
    uint64_t a = right & ~(up & right >> stride), b = up & ~(left & left >> stride);
    uint64_t c = left & ~(down & left << stride), d = down & ~(right & right << stride);

    return (a & b) | (c & d) | ((a | b) & (c | d));
}

void group_steps(int stride, int step[4])
{
    step[0] = 1;
    step[1] = -1;
    step[2] = stride;
    step[3] = -stride;
}

void group_moves(const struct group *group, int stride, int color, uint64_t from[4])
{
    struct layout layout = layout_of(stride);
    uint64_t own = group->stones[color], enemy = group->stones[!color];

    from[0] = own & (enemy & ~layout.file_a) >> 1;
    from[1] = own & (enemy & ~layout.last_file) << 1;
    from[2] = own & enemy >> stride;
    from[3] = own & enemy << stride;
}

INLINE void pieces_left(struct pieces *pieces, uint64_t white, uint64_t black, int from, int stride)
{
    struct layout layout = layout_of(stride);
    uint64_t all = white | black;

    pieces->count = 0;
    if ((cuts(all, stride, &layout) >> from & 1) == 0)
        add(pieces, white, black, stride);
    else
        split(pieces, white, black, grown((uint64_t)1 << from, stride, &layout) & all, stride);
}

void group_after(struct pieces *pieces, const struct group *group, int stride, int color, int from,
                 int to)
{
    uint64_t own = group->stones[color] ^ (uint64_t)1 << from ^ (uint64_t)1 << to;
    uint64_t enemy = group->stones[!color] ^ (uint64_t)1 << to;
    uint64_t white = color == WHITE ? own : enemy, black = color == WHITE ? enemy : own;

    if (stride == 8)
        pieces_left(pieces, white, black, from, 8);
    else if (stride == 10)
        pieces_left(pieces, white, black, from, 10);
    else
        pieces_left(pieces, white, black, from, 12);
}

bool group_cancels(const struct group *a, const struct group *b)
{
    if (a->is_own_mirror)
        return a->stones[0] == b->stones[0] && a->stones[1] == b->stones[1];
    return a->stones[0] == b->stones[1] && a->stones[1] == b->stones[0];
}

/* The groups of a board of any size. Speed does not matter here: it runs once a position. A `wide`
 * is a set of squares of the board. */

/* The stones connected with `seed` by stones of `all`. */
static wide component(wide seed, wide all, int width)
{
    wide part = 0, file_a = 0;

    for (int square = 0; square < BOARD_SQUARES_MAX; square += width)
        file_a |= (wide)1 << square;
    while (seed != part) {
        part = seed;
        seed |= (part << 1 & ~file_a) | (part & ~file_a) >> 1 | part << width | part >> width;
        seed &= all;
    }
    return part;
}

static bool holds(wide set, int square)
{
    return set >> square & 1;
}

static struct box box_on_board(wide part, int width)
{
    int last_file = 0, last_rank = 0;
    struct box box = {BOARD_SQUARES_MAX, BOARD_SQUARES_MAX, 0, 0};

    for (int square = 0; square < BOARD_SQUARES_MAX; square++) {
        int file = square % width, rank = square / width;
        if (!holds(part, square))
            continue;
        box.file = file < box.file ? file : box.file;
        box.rank = rank < box.rank ? rank : box.rank;
        last_file = file > last_file ? file : last_file;
        last_rank = rank;
    }
    box.width = last_file - box.file + 1;
    box.height = last_rank - box.rank + 1;
    return box;
}

/* The stones of a board, and those of them in components not yet seen. */
struct stones {
    wide of[2], left;
    int width;
};

static struct stones stones_of(const struct position *position)
{
    wide white = (wide)position->bits[1] << 64 | position->bits[0];
    wide black = (wide)position->bits[3] << 64 | position->bits[2];

    return (struct stones){{white, black}, white | black, position->width};
}

/* Sets *part to the next component that has both colours. Returns false if there is none. */
static bool next_group(struct stones *stones, wide *part)
{
    while (stones->left != 0) {
        *part = component(stones->left & -stones->left, stones->left, stones->width);
        stones->left &= ~*part;
        if ((*part & stones->of[WHITE]) != 0 && (*part & stones->of[BLACK]) != 0)
            return true;
    }
    return false;
}

static int greater_of(int a, int b)
{
    return a > b ? a : b;
}

int group_stride(const struct position *position)
{
    struct stones stones = stones_of(position);
    int files = 0, ranks = 0;
    wide part;

    while (next_group(&stones, &part)) {
        struct box box = box_on_board(part, stones.width);
        int longer = greater_of(box.width, box.height);
        files = greater_of(files, longer);
        ranks = greater_of(ranks, box.width + box.height - longer);
    }
    for (int stride = 8; stride <= 12; stride += 2)
        if (files <= stride && ranks <= ranks_of(stride))
            return stride;
    return 0;
}

/* Makes a group of a component, lying on its long side. */
static struct group group_on_board(const struct stones *stones, wide part, int stride)
{
    struct box box = box_on_board(part, stones->width);
    uint64_t moved[2] = {0, 0};

    for (int square = 0; square < BOARD_SQUARES_MAX; square++) {
        int file = square % stones->width - box.file, rank = square / stones->width - box.rank;
        if (holds(part, square))
            moved[holds(stones->of[WHITE], square) ? WHITE : BLACK] |=
                (uint64_t)1 << (box.width >= box.height ? rank * stride + file
                                                        : file * stride + rank);
    }
    return canonical(moved[WHITE], moved[BLACK], stride);
}

void groups_of_position(struct groups *groups, const struct position *position, int stride)
{
    struct stones stones = stones_of(position);
    wide part;

    groups->count = 0;
    while (next_group(&stones, &part))
        groups->group[groups->count++] = group_on_board(&stones, part, stride);
}
