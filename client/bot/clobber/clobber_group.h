/*
 * A group: stones of both colours that hang together, the parts into which a Clobber position
 * falls. No move in one group touches another, so a position is the sum of its groups.
 *
 * A group lies in the lower left corner of a board of its own, in one word of bits a colour. The
 * ranks of that board are `stride` squares apart: 8, for boxes of up to 8x8 squares, or 10, for
 * those of up to 10 files and 6 ranks. What fits neither is left to others.
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

/* The stride that takes every group of the position, or 0 if none does. */
int group_stride(const struct position *position);

/* Splits a position. The groups are in canonical form: equal for all that turn or mirror into each
 * other, and with the colours exchanged for those that do so with the colours exchanged;
 * where these are the same, is_own_mirror is set. */
void groups_of_position(struct groups *groups, const struct position *position, int stride);

/* The moves of a side: the squares of its stones that can move by each step, in the order of
 * group_steps(). */
void group_moves(const struct group *group, int stride, int color, uint64_t from[4]);
void group_steps(int stride, int step[4]);

/* How many moves either side has. */
int group_moves_count(const struct group *group, int stride);

/* What a group becomes by a move, likewise split. At most 4 groups. */
void groups_after(struct groups *groups, const struct group *group, int stride, int color, int from,
                  int to);

/* Whether the two add up to zero because one is the other with the colours exchanged. */
bool group_cancels(const struct group *a, const struct group *b);

/* A number for the group as `color` sees it, that is the same for the group with the colours
 * exchanged and the other color. */
uint64_t group_key(const struct group *group, int color);

static inline int group_stones(const struct group *group)
{
    return __builtin_popcountll(group->stones[0] | group->stones[1]);
}

#endif
