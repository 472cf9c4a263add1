/*
 * What a thinker remembers of the positions it has looked into: a transposition table. Whoever asks
 * questions owns one and lends it with each, so that the next move of a match finds what the last
 * one has learned; one question at a time may use it, in any number of threads. Answers are right
 * without it, too.
 */
#ifndef LUDUS_BOT_TRANSPOSITION_H
#define LUDUS_BOT_TRANSPOSITION_H

#include <stdatomic.h>
#include <stddef.h>

#include "common/game.h"

enum { MEMORY_MB = 16, MEMORY_MB_MAX = 65536 }; /* the usual size, and the largest */

/* What a value is: the true one, or a bound of it. */
enum bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT };

/* What is known of a position. */
struct memo {
    uint64_t key;
    struct move move; /* the best one, or the one that was too good; a guess, to be tried first */
    int16_t value;    /* in the units of eval.h, a win as counted from this position */
    uint8_t depth_plies;
    uint8_t bound_and_age; /* enum bound in the low two bits */
};

/* A memo as it is kept. Threads write without waiting for each other: one that finds the halves of
 * two memos sees that they do not fit (Hyatt and Mann, "A lockless transposition table
 * implementation for parallel search", ICGA Journal, 2002). */
struct memory_slot {
    _Atomic uint64_t key_and_data; /* the exclusive or of the two */
    _Atomic uint64_t data;
};

struct memory {
    int megabytes;             /* as asked for; 0: nothing is remembered */
    struct memory_slot *slots; /* owned; NULL until it is used first */
    size_t buckets;            /* a power of two */
    uint8_t age;               /* of the question, from 0 to 63 */
    /* What a guide keeps beside the memos, such as a solver; owned. NULL until it is used. */
    void *extra;
    void (*extra_free)(void *extra);
};

/* Sets the size; what was remembered is forgotten. A zeroed memory is one of no size. */
void memory_resize(struct memory *memory, int megabytes);

/* Forgets everything. */
void memory_clear(struct memory *memory);

/* Frees all that is kept; the memory is then as if it had never been used. */
void memory_release(struct memory *memory);

/* To be called at the start of each question: what older ones have left is replaced first. Without
 * room for the table there is none. */
void memory_begin(struct memory *memory);

/* What is known of the position of that key; false if nothing is. */
bool memory_find(const struct memory *memory, uint64_t key, struct memo *memo);

/* Remembers it, in the place of what is older or was looked at less deeply. */
void memory_store(struct memory *memory, uint64_t key, struct move move, int value, int depth_plies,
                  enum bound bound);

static inline enum bound memo_bound(const struct memo *memo)
{
    return (enum bound)(memo->bound_and_age & 3);
}

#endif
