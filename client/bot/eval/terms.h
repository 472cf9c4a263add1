/*
 * What the values at the leaves of a search are sums of: terms, each a count of something on the
 * board, times weights. These go from what they are at the start of a match to what they are late
 * in it. They were fitted by tests/tools/fit_weights.c, which looks at the terms through here;
 * searches call still_GAME() only.
 */
#ifndef LUDUS_BOT_TERMS_H
#define LUDUS_BOT_TERMS_H

#include "common/game.h"

enum { TERMS_MAX = 40, LATE = 8 };

struct terms {
    const struct game *game;
    int count;
    const char *const *names;
    /* At the start and late, in the units of eval.h. */
    const int16_t *early, *late;
    /* Sets terms[0 .. count - 1], what is good for the side to move above 0 for most of them.
     * Returns how late it is, from 0 to LATE. The game is not over. */
    int (*find)(const struct position *position, int terms[TERMS_MAX]);
};

extern const struct terms latrunculi_terms, shakti_terms;

/* The sum of the terms times their weights. */
static inline int terms_value(const struct terms *terms, const struct position *position)
{
    int found[TERMS_MAX], early = 0, late = 0, phase = terms->find(position, found);

    for (int i = 0; i < terms->count; i++) {
        early += terms->early[i] * found[i];
        late += terms->late[i] * found[i];
    }
    return (early * (LATE - phase) + late * phase) / LATE;
}

#endif
