/*
 * Fits the weights of the patterns of Clobber (client/games/clobber_pattern.h), and prints
 * client/games/clobber_weights.c:
 *
 *     fit_clobber ROUNDS GAMES SEED
 *
 * In each round it plays GAMES games on boards of several sizes: a search of two plies with the
 * weights of the previous round (at first, a point for each stone that can move), and sometimes a
 * random move. Once the solver finds the winner, all positions since the last random move get that
 * as their label; from there on play is random, and each position is solved. Logistic regression
 * then fits the weights, one for all patterns that are rotations or reflections of each other.
 *
 * The same arguments give the same weights.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/clobber/clobber_solve.h"
#include "client/games/clobber_pattern.h"
#include "common/rng.h"

enum {
    SAMPLES_MAX = 1 << 20,
    PLIES_MAX = 100, /* each takes a stone */
    SOLVER_MB = 64,
    MOVES_SOLVED = 22,
    NODES_SOLVED = 10000,
    EPOCHS = 25,
    UNITS = 100
};

static const char *const boards[] = {"5x6", "8x8", "6x6", "5x6"};

/* A position as the differences of its patterns, by class, for the side to move. */
struct sample {
    uint16_t class[BOARD_SQUARES_MAX];
    int8_t sign[BOARD_SQUARES_MAX];
    uint8_t count, won;
};

struct fit {
    uint64_t rng;
    struct solver *solver;
    int class_of[PATTERNS], classes;
    double weight[PATTERNS + 1]; /* by class; the last one is the tempo */
    double by_number[PATTERNS];
    struct sample *samples;
    int samples_count;
};

/* Rotates a pattern by 90 degrees, or mirrors it. Squares are 0 1 2 / 3 . 4 / 5 6 7. */
static int image(int number, const int to[8])
{
    int turned[8];

    for (int i = 0; i < 8; i++, number /= 3)
        turned[to[i]] = number % 3;
    return pattern_number(turned);
}

static void list_classes(struct fit *fit)
{
    static const int turn[8] = {2, 4, 7, 1, 6, 0, 3, 5}, mirror[8] = {2, 1, 0, 4, 3, 7, 6, 5};

    for (int number = 0; number < PATTERNS; number++) {
        int least = number, now = number;
        for (int i = 0; i < 8; i++) {
            now = image(now, i == 4 ? mirror : turn);
            least = now < least ? now : least;
        }
        fit->class_of[number] = least < number ? fit->class_of[least] : fit->classes++;
    }
}

/* One point for each stone that can move. */
static void begin_weights(struct fit *fit)
{
    for (int number = 0; number < PATTERNS; number++) {
        int can_move = number / 3 % 3 == 2 || number / 27 % 3 == 2 || number / 81 % 3 == 2 ||
                       number / 729 % 3 == 2;
        fit->weight[fit->class_of[number]] = can_move;
    }
}

static void spread_weights(struct fit *fit)
{
    for (int number = 0; number < PATTERNS; number++)
        fit->by_number[number] = fit->weight[fit->class_of[number]];
}

static double value_of(const struct fit *fit, const struct position *position)
{
    struct patterns patterns;
    double value[2] = {0, 0};

    patterns_of(position, &patterns);
    for (int color = 0; color < 2; color++)
        for (int i = 0; i < patterns.count[color]; i++)
            value[color] += fit->by_number[patterns.number[color][i]];
    return value[position->side] - value[!position->side] + fit->weight[PATTERNS];
}

static double search(const struct fit *fit, const struct position *position, int depth,
                     double alpha, double beta, struct move *best)
{
    struct move moves[MOVES_MAX];
    int count = clobber.legal(position, depth > 0 ? moves : NULL);

    if (count == 0)
        return -1000;
    if (depth == 0)
        return value_of(fit, position);
    for (int i = 0; i < count && alpha < beta; i++) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        double value = -search(fit, &next, depth - 1, -beta, -alpha, NULL);
        if (value > alpha) {
            alpha = value;
            if (best != NULL)
                *best = moves[i];
        }
    }
    return alpha;
}

/* Returns whether the solver found the winner; *won: whether the side to move wins. */
static bool solve(struct fit *fit, const struct position *position, bool *won)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};
    struct solve_answer answer;

    if (clobber.legal(position, NULL) > MOVES_SOLVED)
        return false;
    request.limits.nodes = NODES_SOLVED;
    if (solver_solve(fit->solver, &request, &answer) != SOLVE_DONE)
        return false;
    *won = answer.wins;
    return true;
}

static void add_sample(struct fit *fit, const struct position *position, bool won)
{
    struct patterns patterns;

    if (fit->samples_count == SAMPLES_MAX)
        return;
    struct sample *sample = &fit->samples[fit->samples_count++];
    *sample = (struct sample){.won = won};
    patterns_of(position, &patterns);
    for (int color = 0; color < 2; color++)
        for (int i = 0; i < patterns.count[color]; i++) {
            sample->sign[sample->count] = color == position->side ? 1 : -1;
            sample->class[sample->count++] = (uint16_t)fit->class_of[patterns.number[color][i]];
        }
}

/* Plays randomly from a solved position and solves each position. */
static void play_end(struct fit *fit, struct position *position)
{
    struct move moves[MOVES_MAX];
    int count;
    bool won;

    while ((count = clobber.legal(position, moves)) > 3) {
        clobber.apply(position, moves[rng_below(&fit->rng, count)]);
        if (clobber.legal(position, NULL) > 0 && solve(fit, position, &won))
            add_sample(fit, position, won);
    }
}

static void play_game(struct fit *fit, const char *board)
{
    struct position line[PLIES_MAX];
    struct cause cause;
    int plies = 0, random_until = 2 + rng_below(&fit->rng, 12);
    bool won = false;

    clobber.start(board, &line[0], &cause);
    for (; !solve(fit, &line[plies], &won); plies++) {
        struct move moves[MOVES_MAX];
        int count = clobber.legal(&line[plies], moves);
        struct move move = moves[rng_below(&fit->rng, count)];
        if (plies < random_until || rng_below(&fit->rng, 20) == 0)
            random_until = plies + 1 > random_until ? plies + 1 : random_until;
        else
            search(fit, &line[plies], 2, -2000, 2000, &move);
        line[plies + 1] = line[plies];
        clobber.apply(&line[plies + 1], move);
    }
    for (int ply = random_until; ply <= plies; ply++)
        add_sample(fit, &line[ply], won == ((plies - ply) % 2 == 0));
    play_end(fit, &line[plies]);
}

static double predict(const struct fit *fit, const struct sample *sample)
{
    double sum = fit->weight[PATTERNS];

    for (int i = 0; i < sample->count; i++)
        sum += sample->sign[i] * fit->weight[sample->class[i]];
    return 1 / (1 + exp(-sum));
}

/* One step of stochastic gradient descent, with the sums of squares of AdaGrad (Duchi, Hazan and
 * Singer, 2011). Returns the logarithm of the likelihood. */
static double learn(struct fit *fit, const struct sample *sample, double *squares)
{
    double p = predict(fit, sample), error = sample->won - p;

    for (int i = 0; i <= sample->count; i++) {
        int class = i < sample->count ? sample->class[i] : PATTERNS;
        double sign = i < sample->count ? sample->sign[i] : 1;
        double slope = error * sign - 1e-4 * fit->weight[class];
        squares[class] += slope * slope;
        fit->weight[class] += 0.05 * slope / sqrt(squares[class] + 1e-3);
    }
    return log(sample->won ? p : 1 - p);
}

static void fit_weights(struct fit *fit)
{
    double *squares = calloc(PATTERNS + 1, sizeof *squares);

    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        double sum = 0;
        for (int i = fit->samples_count - 1; i > 0; i--) {
            int j = rng_below(&fit->rng, i + 1);
            struct sample swapped = fit->samples[i];
            fit->samples[i] = fit->samples[j];
            fit->samples[j] = swapped;
        }
        for (int i = 0; i < fit->samples_count; i++)
            sum += learn(fit, &fit->samples[i], squares);
        if (epoch % 10 == 0 || epoch == EPOCHS - 1)
            fprintf(stderr, "epoch %d: %.4f\n", epoch, sum / fit->samples_count);
    }
    free(squares);
}

static int rounded(double weight)
{
    double scaled = round(UNITS * weight);

    return scaled > 127 ? 127 : scaled < -127 ? -127 : (int)scaled;
}

static void print_weights(const struct fit *fit, char **argv)
{
    printf("/* Made by fit_clobber %s %s %s, see tests/tools/fit_clobber.c. */\n", argv[1], argv[2],
           argv[3]);
    printf("#include \"clobber_pattern.h\"\n\nconst int pattern_tempo = %d;\n\n",
           rounded(fit->weight[PATTERNS]));
    printf("/* clang-format off */\nconst int8_t pattern_weights[PATTERNS] = {");
    for (int number = 0; number < PATTERNS; number++)
        printf("%s%d,", number % 27 == 0 ? "\n" : "", rounded(fit->by_number[number]));
    printf("\n};\n");
}

int main(int argc, char **argv)
{
    static struct fit fit;
    int rounds = argc == 4 ? (int)strtol(argv[1], NULL, 10) : 0,
        count = argc == 4 ? (int)strtol(argv[2], NULL, 10) : 0;

    if (rounds < 1 || count < 1) {
        fprintf(stderr, "usage: fit_clobber ROUNDS GAMES SEED\n");
        return 2;
    }
    fit.rng = strtoull(argv[3], NULL, 10);
    fit.solver = solver_new((size_t)SOLVER_MB << 20, true);
    fit.samples = calloc(SAMPLES_MAX, sizeof *fit.samples);
    if (fit.solver == NULL || fit.samples == NULL)
        return 1;
    list_classes(&fit);
    begin_weights(&fit);
    for (int round = 0; round < rounds; round++) {
        spread_weights(&fit);
        fit.samples_count = 0;
        for (int game = 0; game < count; game++)
            play_game(&fit, boards[game % (int)(sizeof boards / sizeof boards[0])]);
        fprintf(stderr, "round %d: %d samples, %d classes\n", round, fit.samples_count,
                fit.classes);
        fit_weights(&fit);
    }
    spread_weights(&fit);
    print_weights(&fit, argv);
    free(fit.samples);
    solver_free(fit.solver);
    return 0;
}
