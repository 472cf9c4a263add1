/*
 * Values of combinatorial games in canonical form: what a position is worth in any sum, whatever
 * it looks like. Two positions have the same value exactly when their numbers here are equal.
 *
 * Definitions and algorithms are those of Siegel, "Combinatorial Game Theory" (2013), chapters I
 * and II, and of Conway, "On Numbers and Games" (1976). Left is white, right is black, and who
 * cannot move loses.
 *
 * A struct cgt belongs to one thread and takes a fixed amount of memory; what has no room any
 * more, or is too complicated to be worth the work, has no value: CGT_NONE.
 */
#ifndef LUDUS_BOT_CGT_H
#define LUDUS_BOT_CGT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CGT_OPTIONS_MAX = 64 }; /* of one side, before the needless ones are dropped */

#define CGT_ZERO 0u         /* the value of a game in which nobody can move */
#define CGT_NONE UINT32_MAX /* no value */

/* The values that white and black can move to. */
struct cgt_options {
    uint32_t option[2][CGT_OPTIONS_MAX]; /* by enum color */
    int count[2];
};

struct cgt;

/* About `bytes` of memory are taken, at least 64 KiB. NULL without memory. */
struct cgt *cgt_new(size_t bytes, bool huge_pages);
void cgt_free(struct cgt *cgt);

/* Adds an option of a side unless it is there already. False when there are too many, or the
 * value is CGT_NONE. */
bool cgt_option_add(struct cgt_options *options, int color, uint32_t value);

/* The value with these options, which are reordered and changed on the way. */
uint32_t cgt_make(struct cgt *cgt, struct cgt_options *options);

/* The value of both games side by side, either of which may be CGT_NONE. */
uint32_t cgt_add(struct cgt *cgt, uint32_t a, uint32_t b);

/* Whether a + b = 0, which can be told of all values. */
bool cgt_cancels(const struct cgt *cgt, uint32_t a, uint32_t b);

/* Whether `color` is at least as well off with the value as with nothing: it wins if the other
 * side begins. */
bool cgt_good_for(const struct cgt *cgt, uint32_t value, int color);

/* The canonical options of a side: its moves that are worth considering. The array is borrowed
 * until the next call of cgt_make() or cgt_add(). Returns how many there are. */
int cgt_options_of(const struct cgt *cgt, uint32_t value, int color, const uint32_t **options);

/* A number that depends on the value only, as `color` sees it: the same for the negative of the
 * value and the other color. It does not depend on the struct cgt. */
uint64_t cgt_key(const struct cgt *cgt, uint32_t value, int color);

#endif
