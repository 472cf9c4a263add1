/*
 * Makes client/games/xadrersi_weights.c: bots play Xadrersi against themselves, and for every
 * variant and ply a logistic regression finds how well each trait of xadrersi_traits.h predicts the
 * winner.
 *
 *     fit_xadrersi MATCHES NODES SEED >client/games/xadrersi_weights.c && make format
 *
 * The bots use the existing weights, so that another run starts from better play. Equal arguments,
 * weights and search give an equal table. The quality of the fit for each ply goes to standard
 * error, to compare sets of traits.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/search/tree.h"
#include "client/games/xadrersi_traits.h"
#include "common/rng.h"
#include "common/xmalloc.h"

enum { ROUNDS = 6, UNIT = 1024, RANDOM_PLIES_MAX = 4, LAST_RANDOM_PLY_MAX = 12, NOISE = 4 };

/* Traits that predict almost nothing keep a weight near 0. */
static const double stiffness = 1;

/* A position, and 2, 1 or 0 when the side to move won, drew or lost the match. */
struct sample {
    int16_t traits[TRAITS];
    int16_t points;
};

struct samples {
    int count, room;
    struct sample *all; /* owned */
};

static void add(struct samples *samples, const struct sample *sample)
{
    if (samples->count == samples->room) {
        samples->room = samples->room > 0 ? 2 * samples->room : UNIT;
        samples->all = xreallocarray(samples->all, (size_t)samples->room, sizeof *sample);
    }
    samples->all[samples->count++] = *sample;
}

static struct move think(const struct position *position, struct tt *tt, uint64_t nodes, int noise,
                         uint64_t *rng)
{
    static atomic_bool stop;
    struct search_question question = {.game = &xadrersi,
                                       .position = *position,
                                       .limits = {INT64_MAX, INT_MAX, nodes, 0},
                                       .tt = tt,
                                       .rng = rng,
                                       .stop = &stop};

    return search_think(&question, &(struct skill){.noise = noise});
}

/* Plays a match: some random moves, then those of the search, with one more random move so that bad
 * moves occur, too. From there on positions go to line[], by plies played. */
static void play(struct position line[XADRERSI_PLIES + 1], int *first, struct tt *tt,
                 uint64_t nodes, uint64_t *rng)
{
    struct move moves[MOVES_MAX];
    int chosen = rng_below(rng, LAST_RANDOM_PLY_MAX);
    int random_plies = rng_below(rng, RANDOM_PLIES_MAX + 1), count;

    for (int ply = 0; (count = xadrersi.legal(&line[ply], moves)) > 0; ply++) {
        bool by_chance = (ply < random_plies && ply < chosen) || ply == chosen;
        struct move move = by_chance ? moves[rng_below(rng, count)]
                                     : think(&line[ply], tt, nodes, ply < chosen ? NOISE : 0, rng);
        line[ply + 1] = line[ply];
        xadrersi.apply(&line[ply + 1], move);
    }
    *first = chosen + 1;
}

static void learn(const struct position line[XADRERSI_PLIES + 1], int first,
                  struct samples by_ply[XADRERSI_PLIES])
{
    enum result result = xadrersi.outcome(&line[XADRERSI_PLIES]).result;

    for (int ply = first; ply < XADRERSI_PLIES; ply++) {
        struct sample sample;
        xadrersi_traits(&line[ply], sample.traits);
        sample.points = result == RESULT_DRAW ? 1 : 2 * (result == result_win(line[ply].side));
        add(&by_ply[ply], &sample);
    }
}

/* Solves matrix * x = vector in place by Cholesky decomposition; only the lower half is read. */
static void solve(double matrix[TRAITS][TRAITS], double vector[TRAITS])
{
    for (int i = 0; i < TRAITS; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = matrix[i][j];
            for (int k = 0; k < j; k++)
                sum -= matrix[i][k] * matrix[j][k];
            matrix[i][j] = i == j ? sqrt(sum) : sum / matrix[j][j];
        }
        for (int k = 0; k < i; k++)
            vector[i] -= matrix[i][k] * vector[k];
        vector[i] /= matrix[i][i];
    }
    for (int i = TRAITS - 1; i >= 0; i--) {
        for (int k = i + 1; k < TRAITS; k++)
            vector[i] -= matrix[k][i] * vector[k];
        vector[i] /= matrix[i][i];
    }
}

static double chance_of(const struct sample *sample, const double weights[TRAITS])
{
    double odds = 0;

    for (int i = 0; i < TRAITS; i++)
        odds += weights[i] * sample->traits[i];
    return 1 / (1 + exp(-odds));
}

/* Adds the gradient and curvature of one sample. */
static void weigh(const struct sample *sample, const double weights[TRAITS],
                  double matrix[TRAITS][TRAITS], double vector[TRAITS])
{
    double chance = chance_of(sample, weights), wrong = sample->points / 2.0 - chance;

    for (int i = 0; i < TRAITS; i++) {
        double part = chance * (1 - chance) * sample->traits[i];
        vector[i] += wrong * sample->traits[i];
        for (int j = 0; j <= i; j++)
            matrix[i][j] += part * sample->traits[j];
    }
}

/* Logistic regression by Newton's method, with a quadratic penalty (ridge). */
static void fit(const struct samples *samples, double weights[TRAITS])
{
    for (int i = 0; i < TRAITS; i++)
        weights[i] = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double matrix[TRAITS][TRAITS] = {{0}}, vector[TRAITS];
        for (int i = 0; i < TRAITS; i++) {
            matrix[i][i] = stiffness;
            vector[i] = -stiffness * weights[i];
        }
        for (int i = 0; i < samples->count; i++)
            weigh(&samples->all[i], weights, matrix, vector);
        solve(matrix, vector);
        for (int i = 0; i < TRAITS; i++)
            weights[i] += vector[i];
    }
}

/* Returns the mean loss of the samples: less is better. */
static double loss(const struct samples *samples, const double weights[TRAITS])
{
    double sum = 0;

    for (int i = 0; i < samples->count; i++) {
        double chance = chance_of(&samples->all[i], weights), won = samples->all[i].points / 2.0;
        sum -= won * log(chance + 1e-9) + (1 - won) * log(1 - chance + 1e-9);
    }
    return samples->count > 0 ? sum / samples->count : 0;
}

static void print_weights(const double weights[TRAITS])
{
    printf("{");
    for (int i = 0; i < TRAITS; i++)
        printf("%s%d", i > 0 ? ", " : "", (int)lrint(UNIT * weights[i]));
    printf("},\n");
}

/* Plays the matches of one variant and prints the rows of its plies. */
static void fit_variant(const char *name, long matches, uint64_t nodes, uint64_t *rng)
{
    struct samples by_ply[XADRERSI_PLIES] = {{0}};
    struct position line[XADRERSI_PLIES + 1];
    struct tt tt = {.megabytes = 1};
    struct cause cause;
    double weights[TRAITS];
    int first;

    for (; matches > 0 && xadrersi.start(name, &line[0], &cause); matches--) {
        play(line, &first, &tt, nodes, rng);
        learn(line, first, by_ply);
    }
    printf("{");
    for (int ply = 0; ply < XADRERSI_PLIES; ply++) {
        fit(&by_ply[ply], weights);
        print_weights(weights);
        fprintf(stderr, "%s, after %d plies: loss %.4f in %d positions\n", name, ply,
                loss(&by_ply[ply], weights), by_ply[ply].count);
        free(by_ply[ply].all);
    }
    printf("},\n");
    tt_clear(&tt);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: fit_xadrersi MATCHES NODES SEED\n");
        return 2;
    }
    long matches = strtol(argv[1], NULL, 10);
    uint64_t nodes = strtoull(argv[2], NULL, 10), rng = strtoull(argv[3], NULL, 10);

    printf("/* Made by tests/tools/fit_xadrersi.c with %ld matches, %llu nodes, seed %llu. */\n"
           "#include \"xadrersi_traits.h\"\n\n"
           "const int16_t xadrersi_weights[XADRERSI_VARIANTS][XADRERSI_PLIES][TRAITS] = {\n",
           matches, (unsigned long long)nodes, (unsigned long long)rng);
    for (int i = 0; xadrersi.variants[i] != NULL; i++)
        fit_variant(xadrersi.variants[i], matches, nodes, &rng);
    printf("};\n");
    return 0;
}
