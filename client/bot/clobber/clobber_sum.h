/*
 * A Clobber position as a sum of groups. Small groups are replaced by their values (cgt.h), which
 * are added up as far as that is not too much work. Zeros and pairs that cancel are left out.
 * Beside it, the table of who wins which sum.
 */
#ifndef LUDUS_BOT_CLOBBER_SUM_H
#define LUDUS_BOT_CLOBBER_SUM_H

#include <stddef.h>

#include "client/bot/base/arena.h"
#include "clobber_group.h"
#include "clobber_guess.h"

/* Whether the side to move wins. */
enum sum_verdict { SUM_UNKNOWN, SUM_WIN, SUM_LOSS };

enum { BUCKET_ENTRIES = 8 };

/* Who wins which sum: a transposition table. */
struct table {
    uint64_t *entries; /* of which 0 is none, and the lowest bit says that the side to move wins */
    size_t mask;       /* of the number of the bucket */
};

/* Takes the largest power of two up to `bytes`, at least 4 KiB, from the arena. */
struct table table_in(size_t bytes, struct arena *arena);

void table_clear(struct table *table);

/* Looks a sum up by its key as the side to move sees it, and as the other side does. Sets *effort
 * to the number of bits of the nodes that its verdict took. */
enum sum_verdict table_recall(const struct table *table, uint64_t key, uint64_t other_key,
                              int *effort);

/* Stores a verdict that took `nodes` positions to find. Those that took few make room first. */
void table_store(struct table *table, uint64_t key, uint64_t other_key, enum sum_verdict verdict,
                 uint64_t nodes);

/* The values of small groups. */
struct sums;

struct sum {
    uint64_t key[2]; /* hashes as each color sees the sum; exchanged if the colours are */
    int values, groups;
    uint32_t value[GROUPS_MAX]; /* see cgt.h; never 0 */
    struct group group[GROUPS_MAX];
};

/* A sum of at most one group and one value, in less memory. */
struct sum_brief {
    uint64_t key[2];
    struct group group;
    uint32_t value;
    int8_t values, groups; /* groups < 0: the sum has more parts */
};

/* A move in one particular sum. */
struct sum_move {
    uint8_t part;     /* the index of a group, or of a value counted on from the groups */
    uint8_t from, to; /* squares of the group, or the index of an option and 0 */
};

/* Takes tables of at most `bytes`, at least 2 * CGT_BYTES_MIN, from the arena. */
struct sums *sums_new(size_t bytes, struct arena *arena);
void sums_free(struct sums *sums);

/* Forgets all values if there is hardly room for more. No sum may be in use. */
void sums_make_room(struct sums *sums);

/* Sets the stride of all groups from now on: see clobber_group.h. */
void sums_set_stride(struct sums *sums, int stride);

void sum_of_position(struct sums *sums, struct sum *sum, const struct position *position);

/* Lists the moves of a side, at most `max`; in a value only its canonical ones. Returns how many.
 */
int sum_moves(const struct sums *sums, const struct sum *sum, int color, struct sum_move *moves,
              int max);

/* Splits the group that a move is made in, and prefetches the values of the pieces. */
void sum_split(const struct sums *sums, struct pieces *pieces, const struct sum *sum, int color,
               struct sum_move move);

/* Sets *next to the sum after a move, whose pieces are given. */
void sum_after(struct sums *sums, struct sum *next, const struct sum *sum, int color,
               struct sum_move move, const struct pieces *pieces);

/* Sets *brief to the sum after a move. Returns the verdict of sum_look() on it. */
enum sum_verdict sum_brief_after(struct sums *sums, struct sum_brief *brief, const struct sum *sum,
                                 int color, struct sum_move move, const struct pieces *pieces);

/* Restores a sum. Returns false if it has too many parts. */
bool sum_restore(struct sum *sum, const struct sum_brief *brief);

/* Whether `color`, which is to move, wins, if that shows without a search. */
enum sum_verdict sum_look(const struct sums *sums, const struct sum *sum, int color);

/* The number of stones in groups that have no value. */
int sum_stones(const struct sum *sum);

/* What the values are together to `color`, which is to move. */
enum guess_rest sum_rest(const struct sums *sums, const struct sum *sum, int color);

/* See guess_effort() in clobber_guess.h: what it takes to win by leaving the sum to `color`. */
int sum_effort(const struct sums *sums, const struct sum *sum, int color);

/* See guess_odds() in clobber_guess.h. */
int sum_odds(const struct sums *sums, const struct sum *sum, int color);

/* Looks up a sum in which `color` is to move. The table may also know it without its
 * value: then `color` wins if it wins so and the value does it no harm, and loses if it loses so
 * and the value does it no good. */
enum sum_verdict sum_find(const struct sums *sums, const struct table *table,
                          const struct sum_brief *brief, int color);

/* Prefetches what sum_find() will read. */
void sum_prefetch(const struct sums *sums, const struct table *table, const struct sum_brief *brief,
                  int color);

#endif
