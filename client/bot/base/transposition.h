/*
 * The transposition table: what earlier searches found out about positions. Each player of a match
 * owns one and lends it with every question, so that a move profits from the search before it. One
 * question at a time may use it, in any number of threads. Answers are right without it, too.
 */
#ifndef LUDUS_BOT_TRANSPOSITION_H
#define LUDUS_BOT_TRANSPOSITION_H

#include <stdatomic.h>

#include "arena.h"
#include "common/game.h"

enum { TT_MB = 16, TT_MB_MAX = 65536 }; /* the default size, and the largest */

/* How an entry's value compares with the true one. */
enum bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT };

struct tt_entry {
    uint64_t key;
    struct move move; /* the best move, or the one that caused a cutoff; only a guess */
    int16_t value;    /* in the units of guide.h; wins are counted from this position */
    uint8_t depth_plies;
    uint8_t bound_and_age; /* enum bound in the low two bits */
};

/* An entry as it is stored. Threads do not wait for each other; a reader that meets halves of two
 * entries sees that they do not match (Hyatt and Mann, "A lockless transposition table
 * implementation for parallel search", ICGA Journal, 2002). */
struct tt_slot {
    _Atomic uint64_t key_and_data; /* the exclusive or of the two */
    _Atomic uint64_t data;
};

/* A zeroed table has size 0 and remembers nothing. */
struct tt {
    int megabytes; /* as asked for */
    struct arena arena;
    struct tt_slot *slots; /* in the arena; NULL until first used */
    size_t buckets;        /* a power of two; 0: no table */
    uint8_t age;           /* of the question, 0 to 63 */
    /* What a guide keeps beside the entries, such as a solver; owned, or NULL. */
    void *extra;
    void (*extra_free)(void *extra);
};

/* Sets the size and forgets everything. */
void tt_resize(struct tt *tt, int megabytes);

/* Forgets everything and frees the memory. The table can be used again. */
void tt_clear(struct tt *tt);

/* Starts a new question, whose entries replace those of older ones first. If the system refuses
 * memory for the table, the search does without. */
void tt_begin(struct tt *tt);

/* How full the table is with entries of this question, in thousandths; 0 without a table. */
int tt_filled(const struct tt *tt);

/* Looks a position up. False if nothing is known of it. */
bool tt_find(const struct tt *tt, uint64_t key, struct tt_entry *entry);

/* Stores an entry, in the place of an older or a shallower one. */
void tt_store(struct tt *tt, uint64_t key, struct move move, int value, int depth_plies,
              enum bound bound);

static inline enum bound tt_bound(const struct tt_entry *entry)
{
    return (enum bound)(entry->bound_and_age & 3);
}

#endif
