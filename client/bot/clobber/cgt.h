/*
 * Values of combinatorial games in canonical form: what a position is worth in any sum, whatever it
 * looks like. Each value has a number, and two positions have the same value exactly when their
 * numbers are equal.
 *
 * Definitions and algorithms follow Siegel, "Combinatorial Game Theory" (2013), chapters I and II,
 * and Conway, "On Numbers and Games" (1976). Left is white, right is black, and a player that
 * cannot move loses.
 *
 * A struct cgt takes a fixed amount of memory. A game that no longer fits, or is too complicated to
 * be worth the work, has no value: CGT_NONE.
 */
#ifndef LUDUS_BOT_CGT_H
#define LUDUS_BOT_CGT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/bot/base/arena.h"

enum { CGT_BYTES_MIN = 65536 };
enum { CGT_OPTIONS_MAX = 64 }; /* of one side, before simplification */

#define CGT_ZERO 0u         /* the value of a game in which nobody can move */
#define CGT_NONE UINT32_MAX /* no value */

/* The values that each side can move to. */
struct cgt_options {
    uint32_t option[2][CGT_OPTIONS_MAX]; /* by enum color */
    int count[2];
};

struct cgt;

/* Takes tables of at most `bytes`, at least CGT_BYTES_MIN, from the arena. The caller frees the
 * struct with free(). */
struct cgt *cgt_new(size_t bytes, struct arena *arena);

/* Whether little room is left for new values, all of which are then CGT_NONE. */
bool cgt_is_full(const struct cgt *cgt);

/* Forgets all values but CGT_ZERO. */
void cgt_clear(struct cgt *cgt);

/* Adds an option of a side unless it is there already. Returns false if there are too many or the
 * value is CGT_NONE. */
bool cgt_option_add(struct cgt_options *options, int color, uint32_t value);

/* The value of the game with these options, which it changes. */
uint32_t cgt_make(struct cgt *cgt, struct cgt_options *options);

/* The sum of two values, either of which may be CGT_NONE. */
uint32_t cgt_add(struct cgt *cgt, uint32_t a, uint32_t b);

/* Whether the value does `color` no harm: it wins if the other side begins. */
bool cgt_good_for(const struct cgt *cgt, uint32_t value, int color);

/* Sets *options to the canonical options of a side: its moves that are worth considering. They are
 * borrowed until the next cgt_make() or cgt_add(). Returns how many there are. */
int cgt_options_of(const struct cgt *cgt, uint32_t value, int color, const uint32_t **options);

/* A hash of the value as `color` sees it. The negative of the value has the same hash for the other
 * color. Equal values have equal hashes in every struct cgt. */
uint64_t cgt_key(const struct cgt *cgt, uint32_t value, int color);

#endif
