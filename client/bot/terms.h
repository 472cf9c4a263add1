/*
 * What the values at the leaves of a search are sums of: terms, each a count of something on the
 * board, times weights, one row each in eval_GAME.c. The weights were fitted by
 * tests/tools/fit_weights.c, which looks at the rows through here; searches call still_GAME() only.
 */
#ifndef LUDUS_BOT_TERMS_H
#define LUDUS_BOT_TERMS_H

#include "common/game.h"

enum { TERMS_MAX = 48 };

struct terms {
    const struct game *game;
    int count;
    const char *const *names;
    const int16_t *weights; /* hundredths of a soldier or warrior, as in eval.h */
    /* Sets terms[0 .. count - 1], what is good for the side to move above 0 for most of them. The
     * game is not over. */
    void (*find)(const struct position *position, int terms[TERMS_MAX]);
};

extern const struct terms latrunculi_terms, shakti_terms;

/* The sum of the terms times their weights. */
static inline int terms_value(const struct terms *terms, const struct position *position)
{
    int found[TERMS_MAX], sum = 0;

    terms->find(position, found);
    for (int i = 0; i < terms->count; i++)
        sum += terms->weights[i] * found[i];
    return sum;
}

#endif
