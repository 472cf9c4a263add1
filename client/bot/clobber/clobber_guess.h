/*
 * A guess at what it takes to win by leaving a sum to the other side, for the order of moves: a
 * neural network with one hidden layer. Each stone adds a vector for its pattern (see
 * client/games/clobber_pattern.h), whose squares here are those of its group.
 */
#ifndef LUDUS_BOT_CLOBBER_GUESS_H
#define LUDUS_BOT_CLOBBER_GUESS_H

#include "clobber_group.h"

/* The first units are linear, the others rectified. Patterns that turn or mirror into each other
 * are of one class. */
enum { GUESS_UNITS = 16, GUESS_LINEAR = 2, GUESS_CLASSES = 954 };

/* What the values in a sum are together to the side to move, as far as each of them tells. */
enum guess_rest { REST_NONE, REST_OPEN, REST_GOOD, REST_BAD, GUESS_RESTS };

/* A vector that needs no more alignment than its parts. */
typedef int16_t guess_units
    __attribute__((vector_size(GUESS_UNITS * sizeof(int16_t)), aligned(sizeof(int16_t))));

/* The hidden layer for a sum. */
struct guess {
    guess_units units;
};

struct guesser;

/* The caller frees it with free(). */
struct guesser *guesser_new(void);

void guess_start(struct guess *guess, const struct guesser *guesser, enum guess_rest rest);

/* Adds a group of a sum in which `color` is to move. */
void guess_add(struct guess *guess, const struct guesser *guesser, const struct group *group,
               const struct layout *layout, int color);

/* Lists the classes of the stones of `color`. Returns how many there are. */
int guess_classes(const struct guesser *guesser, const struct group *group, int stride, int color,
                  uint16_t *classes);

/* The natural logarithm, in hundredths, of the nodes that the sum takes divided by the chance that
 * the side to move loses. */
int guess_effort(const struct guess *guess, const struct guesser *guesser);

/* The natural logarithm, in hundredths, of the odds that the side to move wins. */
int guess_odds(const struct guess *guess, const struct guesser *guesser);

/* What clobber_guess_weights.c holds: the weights of each class for the side to move and for the
 * other one, those of the values, and those of the units in two results, with a constant last. One
 * in a unit is GUESS_UNIT, one in a result GUESS_UNIT * GUESS_RESULT. */
enum { GUESS_UNIT = 64, GUESS_RESULT = 1024 };
enum guess_result { GUESS_WIN, GUESS_NODES, GUESS_RESULTS };

extern const int8_t guess_class_weights[GUESS_CLASSES][2][GUESS_UNITS];
extern const int16_t guess_rest_weights[GUESS_RESTS][GUESS_UNITS];
extern const int guess_result_weights[GUESS_RESULTS][GUESS_UNITS + 1];

#endif
