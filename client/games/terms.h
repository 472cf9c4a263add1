/*
 * The static evaluation of a game as a weighted sum of terms, each a count of something on the
 * board. The weights shift from those at the start of a match to those late in it.
 * tests/tools/fit_weights.c fitted them, and reads the terms through this header; searches only
 * call value().
 */
#ifndef LUDUS_BOT_TERMS_H
#define LUDUS_BOT_TERMS_H

#include "common/game.h"

enum { TERMS_MAX = 40, LATE = 8 };

struct terms {
    const struct game *game;
    int count;
    const char *const *names;
    const int16_t *early,
        *late; /* weights at the start and late, in the units of value() in guide.h */
    /* Sets terms[0 .. count - 1]. Most are above 0 where that is good for the side to move. Returns
     * how late it is, from 0 to LATE. The game is not over. */
    int (*find)(const struct position *position, int terms[TERMS_MAX]);
};

extern const struct terms latrunculi_terms, shakti_terms;

/* A game lists its terms as a macro of rows TERM(name, early weight, late weight). DEFINE_TERMS()
 * turns the list into an enum that ends with TERMS, and the arrays of struct terms. */
#define TERM_ID(name, early, late)    name,
#define TERM_NAME(name, early, late)  [name] = #name,
#define TERM_EARLY(name, early, late) [name] = early,
#define TERM_LATE(name, early, late)  [name] = late,
#define DEFINE_TERMS(list)                                                                         \
    enum { list(TERM_ID) TERMS };                                                                  \
    static const char *const term_names[TERMS] = {list(TERM_NAME)};                                \
    static const int16_t term_early[TERMS] = {list(TERM_EARLY)};                                   \
    static const int16_t term_late[TERMS] = {list(TERM_LATE)}

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
