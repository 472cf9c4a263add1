/*
 * Groups: the connected components of a Clobber position that hold stones of both colours. No move
 * in one group touches another, so a position is the sum of its groups.
 *
 * A group lies on its long side in the lower left corner of a board of its own, one word of bits
 * for each colour. The ranks of that board are `stride` squares apart: 8, or for longer groups as
 * many as they need and, where there is room, a guard file that stays empty. So a group fits if its
 * box has at most 64 squares.
 */
#ifndef LUDUS_BOT_CLOBBER_GROUP_H
#define LUDUS_BOT_CLOBBER_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "common/game.h"

enum { GROUPS_MAX = BOARD_SQUARES_MAX / 2 };

struct group {
    uint64_t stones[2]; /* by enum color */
    bool is_own_mirror; /* a symmetry of the board exchanges the colours */
};

struct groups {
    struct group group[GROUPS_MAX];
    int count;
};

/* What a move leaves of a group. */
enum { PIECES_MAX = 4 };

struct pieces {
    struct group group[PIECES_MAX];
    int count;
};

/* How groups lie in a word. */
struct layout {
    int stride, ranks;
    uint64_t file_a, last_file;
    uint64_t rim; /* the last file, and all from the last rank on */
    uint8_t rank_of[64];
    uint64_t transposed[64]; /* the square on the other side of the diagonal, or 0 */
};

void layout_set(struct layout *layout, int stride);

/* The stride that takes every group of the position, or 0 if there is none. */
int group_stride(const struct position *position);

/* Splits a position into groups in canonical form: groups that turn or mirror into each other
 * become equal. If they do so with the colours exchanged, one becomes the other with its colours
 * exchanged. */
void groups_of_position(struct groups *groups, const struct position *position,
                        const struct layout *layout);

/* The moves of a side: for each step of group_steps(), the squares of its stones that can make it.
 */
void group_moves(const struct group *group, const struct layout *layout, int color,
                 uint64_t from[4]);
void group_steps(int stride, int step[4]);

/* Splits what a move leaves of a group into groups in canonical form. */
void group_after(struct pieces *pieces, const struct group *group, const struct layout *layout,
                 int color, int from, int to);

/* Whether one group is the other with the colours exchanged, so that they add up to zero. */
bool group_cancels(const struct group *a, const struct group *b);

/* A hash of the group as `color` sees it. The group with its colours exchanged has the same hash
 * for the other color. */
static inline uint64_t group_key(const struct group *group, int color)
{
    __extension__ typedef unsigned __int128 wide;
    int own = group->is_own_mirror ? 0 : color;
    wide product = (wide)(group->stones[own] + 0x9e3779b97f4a7c15u) *
                   (group->stones[!own] + 0xd6e8feb86659fd93u);

    return ((uint64_t)product ^ (uint64_t)(product >> 64)) * 0xbf58476d1ce4e5b9u;
}

static inline int group_stones(const struct group *group)
{
    return __builtin_popcountll(group->stones[0] | group->stones[1]);
}

#endif
