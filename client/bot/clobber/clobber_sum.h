/*
 * A Clobber position as the sum it is: groups that hang together, of which the small ones are
 * replaced by their values and added up, as far as that is not too much work. What is worth
 * nothing, and pairs that cancel each other, are left out.
 */
#ifndef LUDUS_BOT_CLOBBER_SUM_H
#define LUDUS_BOT_CLOBBER_SUM_H

#include <stddef.h>

#include "clobber_group.h"

/* What is known of small groups: belongs to one thread. */
struct sums;

struct sum {
    uint64_t key[2]; /* as white and as black sees it: the same for the sum with the colours
                      * exchanged and the other color */
    int values, groups;
    uint32_t value[GROUPS_MAX]; /* see cgt.h; never 0 */
    struct group group[GROUPS_MAX];
};

/* A move in a sum, which means something for that sum only. */
struct sum_move {
    uint8_t part;     /* the number of a group, or of a value after all groups */
    uint8_t from, to; /* squares of the group, or the number of the option and 0 */
};

enum sum_verdict { SUM_UNKNOWN, SUM_WIN, SUM_LOSS };

/* Takes about `bytes` of memory. NULL without memory. */
struct sums *sums_new(size_t bytes, bool huge_pages);
void sums_free(struct sums *sums);

/* What comes after is about groups of this stride, of clobber_group.h. */
void sums_set_stride(struct sums *sums, int stride);

void sum_of_position(struct sums *sums, struct sum *sum, const struct position *position);

/* The moves of a side, as many of them as fit in `max`. In a value only those that are worth
 * considering are there. Returns how many there are. */
int sum_moves(const struct sums *sums, const struct sum *sum, int color, struct sum_move *moves,
              int max);

/* Sets *next to what a move of a side makes of the sum. */
void sum_after(struct sums *sums, struct sum *next, const struct sum *sum, int color,
               struct sum_move move);

/* Whether `color`, which is to move, wins, where that shows without search. */
enum sum_verdict sum_look(const struct sums *sums, const struct sum *sum, int color);

/* How many stones there are, without those that are in values. */
int sum_stones(const struct sum *sum);

/* How many moves a side has. */
int sum_moves_count(const struct sums *sums, const struct sum *sum, int color);

#endif
