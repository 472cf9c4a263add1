#include "clobber_group.h"

__extension__ typedef unsigned __int128 wide;

void layout_set(struct layout *layout, int stride)
{
    *layout = (struct layout){.stride = stride, .ranks = 64 / stride};
    for (int rank = 0; rank < layout->ranks; rank++)
        layout->file_a |= (uint64_t)1 << rank * stride;
    layout->last_file = layout->file_a << (stride - 1);
    layout->rim = layout->last_file | UINT64_MAX << (layout->ranks - 1) * stride;
    for (int square = 0; square < 64; square++) {
        int rank = square / stride, to = square % stride * stride + rank;
        layout->rank_of[square] = (uint8_t)rank;
        layout->transposed[square] = to < 64 ? (uint64_t)1 << to : 0;
    }
}

static uint64_t swap_bits(uint64_t set, uint64_t mask, int distance)
{
    uint64_t differ = (set ^ set >> distance) & mask;

    return set ^ differ ^ differ << distance;
}

/* The bounding box of a set. */
struct box {
    int file, rank, width, height;
};

/* Mirrors a set in the corner: the top rank becomes the bottom one. */
static inline uint64_t flip_ranks(uint64_t set, const struct layout *layout, const struct box *box)
{
    int stride = layout->stride, high = (box->height - 1) * stride;
    uint64_t rank = ((uint64_t)1 << stride) - 1;

    if (stride == 8)
        return __builtin_bswap64(set) >> (56 - high);
    for (int low = 0; low < high; low += stride, high -= stride)
        set = swap_bits(set, rank << low, high - low);
    return set;
}

/* Mirrors a set in the corner: the first file becomes the last one. */
static inline uint64_t flip_files(uint64_t set, const struct layout *layout, const struct box *box)
{
    set = (set >> 1 & 0x5555555555555555u) | (set & 0x5555555555555555u) << 1;
    set = (set >> 2 & 0x3333333333333333u) | (set & 0x3333333333333333u) << 2;
    set = (set >> 4 & 0x0f0f0f0f0f0f0f0fu) | (set & 0x0f0f0f0f0f0f0f0fu) << 4;
    if (layout->stride == 8)
        return set >> (8 - box->width);
    set = __builtin_bswap64(set) >> (64 - (box->height - 1) * layout->stride - box->width);
    return flip_ranks(set, layout, box); /* it was turned by 180 degrees */
}

/* Turns files into ranks. The result must fit. */
static inline uint64_t transpose(uint64_t set, const struct layout *layout)
{
    uint64_t transposed = 0;

    if (layout->stride == 8) {
        set = swap_bits(set, 0x00aa00aa00aa00aau, 7);
        set = swap_bits(set, 0x0000cccc0000ccccu, 14);
        return swap_bits(set, 0x00000000f0f0f0f0u, 28);
    }
    for (; set != 0; set &= set - 1)
        transposed |= layout->transposed[__builtin_ctzll(set)];
    return transposed;
}

static inline struct box box_of(uint64_t set, const struct layout *layout)
{
    uint64_t files = set;
    int low = layout->rank_of[__builtin_ctzll(set)];
    int high = layout->rank_of[63 - __builtin_clzll(set)];

    for (int by = layout->stride; by < 64; by *= 2)
        files |= files >> by;
    files &= ((uint64_t)1 << layout->stride) - 1;
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

/* The images of a set in the corner on the same side. */
enum { FLIPPED_FILES = 1, FLIPPED_RANKS = 2, IMAGES = 4 };

static inline uint64_t image_of(uint64_t set, int image, const struct layout *layout,
                                const struct box *box)
{
    if (image & FLIPPED_FILES)
        set = flip_files(set, layout, box);
    return image & FLIPPED_RANKS ? flip_ranks(set, layout, box) : set;
}

/* Considers a group in the corner and its mirror images: those whose squares come first. */
static void consider_flips(struct group *best, uint64_t white, uint64_t black,
                           const struct layout *layout, const struct box *box)
{
    uint64_t all = white | black, turned = flip_files(all, layout, box);
    uint64_t image[IMAGES] = {all, turned, flip_ranks(all, layout, box),
                              flip_ranks(turned, layout, box)};
    uint64_t least = lesser_of(lesser_of(image[0], image[1]), lesser_of(image[2], image[3]));

    if (least > (best->stones[0] | best->stones[1]))
        return;
    for (int i = 0; i < IMAGES; i++)
        if (image[i] == least) {
            uint64_t flipped = image_of(white, i, layout, box);
            consider(best, flipped, least ^ flipped);
        }
}

/* The first image of the squares of a group, and the way there. */
struct first {
    uint64_t all;
    int image;
    bool is_only; /* no other image has these squares */
};

static inline struct first first_of(uint64_t all, const struct layout *layout,
                                    const struct box *box)
{
    uint64_t turned = flip_files(all, layout, box), upset = flip_ranks(all, layout, box);
    uint64_t both = flip_ranks(turned, layout, box);
    uint64_t least = lesser_of(lesser_of(all, turned), lesser_of(upset, both));
    int images = (all == least) + (turned == least) + (upset == least) + (both == least);

    return (struct first){least,
                          (turned == least || both == least ? FLIPPED_FILES : 0) |
                              (upset == least || both == least ? FLIPPED_RANKS : 0),
                          images == 1};
}

/* The canonical form of a group in the corner, by all of its images. */
static struct group first_by_all(uint64_t white, uint64_t black, const struct layout *layout,
                                 const struct box *box)
{
    struct group best = {{UINT64_MAX, UINT64_MAX}, false};

    consider_flips(&best, white, black, layout, box);
    if (box->width == box->height)
        consider_flips(&best, transpose(white, layout), transpose(black, layout), layout, box);
    if (best.is_own_mirror && best.stones[0] > best.stones[1])
        best = (struct group){{best.stones[1], best.stones[0]}, true};
    return best;
}

static struct group canonical(uint64_t white, uint64_t black, const struct layout *layout)
{
    struct box box = box_of(white | black, layout);

    white >>= box.rank * layout->stride + box.file;
    black >>= box.rank * layout->stride + box.file;
    if (box.width < box.height) {
        white = transpose(white, layout);
        black = transpose(black, layout);
        box = (struct box){0, 0, box.height, box.width};
    }
    struct first first = first_of(white | black, layout, &box);
    if (box.width == box.height) {
        uint64_t turned = transpose(white, layout);
        struct first other = first_of(turned | transpose(black, layout), layout, &box);
        first.is_only = first.is_only && other.is_only && first.all != other.all;
        if (other.all < first.all) {
            other.is_only = first.is_only;
            first = other;
            white = turned;
            black = transpose(black, layout);
        }
    }
    if (!first.is_only)
        return first_by_all(white, black, layout, &box);
    white = image_of(white, first.image, layout, &box);
    return (struct group){{white, first.all ^ white}, false};
}

static inline uint64_t grown(uint64_t set, const struct layout *layout)
{
    return set | (set & ~layout->last_file) << 1 | (set & ~layout->file_a) >> 1 |
           set << layout->stride | set >> layout->stride;
}

/* Adds a component unless all of its stones have one colour. */
static inline void add_pieces(struct pieces *pieces, uint64_t white, uint64_t black,
                              const struct layout *layout)
{
    if (white != 0 && black != 0)
        pieces->group[pieces->count++] = canonical(white, black, layout);
}

/* Adds the components of a group that has lost the stone next to those in `near`, so that each
 * component has one of them. */
static inline void split(struct pieces *pieces, uint64_t white, uint64_t black, uint64_t near,
                         const struct layout *layout)
{
    uint64_t left = white | black;

    while ((near & (near - 1)) != 0) {
        uint64_t part = 0, more = near & -near;
        while (more != part && (near & ~more) != 0) {
            part = more;
            more = grown(part, layout) & left;
        }
        if ((near & ~more) == 0)
            break;
        add_pieces(pieces, part & white, part & black, layout);
        left &= ~part;
        near &= ~part;
    }
    add_pieces(pieces, left & white, left & black, layout);
}

/* Squares whose neighbours are not all connected through the squares around them: without a stone
 * there, a group may fall apart. */
static inline uint64_t cuts(uint64_t all, const struct layout *layout)
{
    int stride = layout->stride;
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

void group_moves(const struct group *group, const struct layout *layout, int color,
                 uint64_t from[4])
{
    uint64_t own = group->stones[color], enemy = group->stones[!color];

    from[0] = own & (enemy & ~layout->file_a) >> 1;
    from[1] = own & (enemy & ~layout->last_file) << 1;
    from[2] = own & enemy >> layout->stride;
    from[3] = own & enemy << layout->stride;
}

void group_after(struct pieces *pieces, const struct group *group, const struct layout *layout,
                 int color, int from, int to)
{
    uint64_t own = group->stones[color] ^ (uint64_t)1 << from ^ (uint64_t)1 << to;
    uint64_t enemy = group->stones[!color] ^ (uint64_t)1 << to;
    uint64_t white = color == WHITE ? own : enemy, black = color == WHITE ? enemy : own;
    uint64_t all = white | black;

    pieces->count = 0;
    if ((cuts(all, layout) >> from & 1) == 0)
        add_pieces(pieces, white, black, layout);
    else
        split(pieces, white, black, grown((uint64_t)1 << from, layout) & all, layout);
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
    if (files <= 8)
        return 8;
    return ranks <= 64 / (files + 1) ? files + 1 : ranks <= 64 / files ? files : 0;
}

/* Makes a group of a component, lying on its long side. */
static struct group group_on_board(const struct stones *stones, wide part,
                                   const struct layout *layout)
{
    struct box box = box_on_board(part, stones->width);
    uint64_t moved[2] = {0, 0};

    for (int square = 0; square < BOARD_SQUARES_MAX; square++) {
        int file = square % stones->width - box.file, rank = square / stones->width - box.rank;
        if (holds(part, square))
            moved[holds(stones->of[WHITE], square) ? WHITE : BLACK] |=
                (uint64_t)1 << (box.width >= box.height ? rank * layout->stride + file
                                                        : file * layout->stride + rank);
    }
    return canonical(moved[WHITE], moved[BLACK], layout);
}

void groups_of_position(struct groups *groups, const struct position *position,
                        const struct layout *layout)
{
    struct stones stones = stones_of(position);
    wide part;

    groups->count = 0;
    while (next_group(&stones, &part))
        groups->group[groups->count++] = group_on_board(&stones, part, layout);
}
