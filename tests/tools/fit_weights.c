/*
 * Fits the weights of client/games/terms.h to results of matches, read from standard input in
 * the format of fit_positions.c. Prints the current and fitted weights of each term, early and
 * late.
 *
 *     fit_weights GAME PER_CENT < FILE
 *
 * The fit is a logistic regression: it minimises the log loss of sigmoid(value / SCALE) against the
 * results. PER_CENT scales the fitted weights, so that a term worth 100 can keep its value. Losses
 * are printed for the nine tenths of the matches that are fitted, and for the other tenth, which
 * validates the fit. Method: Adam (Kingma and Ba, 2015) with all positions at each step.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/games/terms.h"
#include "common/xmalloc.h"

enum { STEPS = 1500, BLOCK = 64, SCALE = 100, LINE = 200, WEIGHTS = 2 * TERMS_MAX };

#define RATE   0.02
#define SHRINK 1e-5 /* keeps the weights of rare terms near 0 */

struct sample {
    double result;
    int phase;
    int8_t terms[TERMS_MAX];
};

struct samples {
    struct sample *list;
    int count, capacity;
};

static void read_samples(const struct terms *terms, struct samples *samples)
{
    char line[LINE];

    while (fgets(line, sizeof line, stdin) != NULL) {
        struct position position;
        struct cause cause;
        char *text;
        int found[TERMS_MAX];
        double result = strtod(line, &text);
        text[strcspn(text, "\n")] = '\0';
        if (*text != ' ' || !terms->game->parse(NULL, text + 1, &position, &cause))
            continue;
        if (samples->count == samples->capacity) {
            samples->capacity = samples->capacity * 2 + 1024;
            samples->list =
                xreallocarray(samples->list, (size_t)samples->capacity, sizeof samples->list[0]);
        }
        struct sample *sample = &samples->list[samples->count++];
        sample->result = result;
        sample->phase = terms->find(&position, found);
        for (int i = 0; i < terms->count; i++)
            sample->terms[i] = (int8_t)found[i];
    }
}

/* Positions of one match are adjacent, so whole blocks are set aside. */
static bool is_held_out(int i)
{
    return i / BLOCK % 10 == 9;
}

static double expected(const struct sample *sample, const double *weights, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += sample->terms[i] *
               (weights[i] * (LATE - sample->phase) + weights[TERMS_MAX + i] * sample->phase);
    return 1 / (1 + exp(-sum / LATE));
}

static double loss(const struct samples *samples, const double *weights, int count, bool held_out)
{
    double sum = 0;
    int of = 0;

    for (int i = 0; i < samples->count; i++)
        if (is_held_out(i) == held_out) {
            double p = expected(&samples->list[i], weights, count);
            double r = samples->list[i].result;
            sum -= r * log(p + 1e-9) + (1 - r) * log(1 - p + 1e-9);
            of++;
        }
    return sum / (of > 0 ? of : 1);
}

static void gradient(const struct samples *samples, const double *weights, int count, double *slope)
{
    for (int t = 0; t < WEIGHTS; t++)
        slope[t] = SHRINK * weights[t];
    for (int i = 0; i < samples->count; i++) {
        const struct sample *sample = &samples->list[i];
        if (is_held_out(i))
            continue;
        double error = (expected(sample, weights, count) - sample->result) / samples->count;
        for (int t = 0; t < count; t++) {
            slope[t] += error * sample->terms[t] * (LATE - sample->phase) / LATE;
            slope[TERMS_MAX + t] += error * sample->terms[t] * sample->phase / LATE;
        }
    }
}

static void fit(const struct samples *samples, double *weights, int count)
{
    double slope[WEIGHTS], mean[WEIGHTS] = {0}, square[WEIGHTS] = {0};

    for (int step = 1; step <= STEPS; step++) {
        double rate = RATE * (1 - 0.95 * step / STEPS);
        gradient(samples, weights, count, slope);
        for (int t = 0; t < WEIGHTS; t++) {
            mean[t] = 0.9 * mean[t] + 0.1 * slope[t];
            square[t] = 0.999 * square[t] + 0.001 * slope[t] * slope[t];
            weights[t] -= rate * (mean[t] / (1 - pow(0.9, step))) /
                          (sqrt(square[t] / (1 - pow(0.999, step))) + 1e-9);
        }
    }
}

static const struct terms *terms_named(const char *name)
{
    static const struct terms *const all[] = {&latrunculi_terms, &shakti_terms};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i]->game->name, name) == 0)
            return all[i];
    return NULL;
}

int main(int argc, char **argv)
{
    const struct terms *terms = argc == 3 ? terms_named(argv[1]) : NULL;
    struct samples samples = {0};
    double weights[WEIGHTS] = {0};

    if (terms == NULL) {
        fprintf(stderr, "usage: fit_weights latrunculi|shakti PER_CENT < FILE\n");
        return 2;
    }
    double stretch = strtod(argv[2], NULL) / 100;
    read_samples(terms, &samples);
    for (int t = 0; t < terms->count; t++) {
        weights[t] = terms->early[t] / (SCALE * stretch);
        weights[TERMS_MAX + t] = terms->late[t] / (SCALE * stretch);
    }
    printf("# %d positions; log loss now: %.4f, held out %.4f\n", samples.count,
           loss(&samples, weights, terms->count, false),
           loss(&samples, weights, terms->count, true));
    fit(&samples, weights, terms->count);
    printf("# fitted: %.4f, held out %.4f\n", loss(&samples, weights, terms->count, false),
           loss(&samples, weights, terms->count, true));
    for (int t = 0; t < terms->count; t++)
        printf("%-20s %6d %6.0f %6d %6.0f\n", terms->names[t], terms->early[t],
               weights[t] * SCALE * stretch, terms->late[t],
               weights[TERMS_MAX + t] * SCALE * stretch);
    free(samples.list);
    return 0;
}
