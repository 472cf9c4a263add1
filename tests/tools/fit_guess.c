/*
 * Fits the neural network that orders the moves of the Clobber solver
 * (client/bot/clobber/clobber_guess.h), and prints client/bot/clobber/clobber_guess_weights.c:
 *
 *     fit_guess POSITIONS EPOCHS SEED
 *
 * It solves POSITIONS positions that random openings led to, each within a limit of nodes. After
 * each it walks at random through what the solver's table knows, and takes the positions it passes
 * as examples: whether the side to move won, and how many nodes that took. Gradient descent with a
 * rate for each weight (AdaGrad) then fits the network to both.
 *
 * The solver orders its moves by the network of its day, so that another run starts from better
 * examples. The same program with the same arguments prints the same weights.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/clobber/clobber_guess.h"
#include "client/bot/clobber/clobber_solve.h"
#include "client/bot/clobber/clobber_sum.h"
#include "common/rng.h"
#include "common/xmalloc.h"
#include "common/zobrist.h"

enum {
    SOLVER_BYTES = 512 << 20,
    SUMS_BYTES = 32 << 20,
    NODES_EACH = 3000000,
    NODES_A_WALK = 20,
    WALKS_MOST = 20000,
    EXAMPLES_MAX = 6000000,
    SEEN_BITS = 26,
    STONES_MOST = 36
};

/* How fast weights change, how much a wrong logarithm of the nodes counts beside a wrong winner,
 * and what pulls the weights of rare classes to 0. */
static const float rate = 0.05F, nodes_count = 0.3F, decay = 1e-5F;

static const struct {
    const char *board;
    int plies;
} openings[] = {{"5x6", 2}, {"5x5", 0}, {"4x8", 3}, {"5x6", 3},
                {"6x6", 8}, {"4x7", 1}, {"5x7", 6}, {"4x6", 0}};

/* A position as classes: `own` of the side to move, then those of the other one. */
struct example {
    uint16_t class_of[STONES_MOST];
    uint8_t own, all, rest, won;
    float log_nodes;
};

/* A weight or a bias, and the sum of the squares of its gradients. */
struct weight {
    float is, squares;
};

static struct {
    struct weight of_class[GUESS_CLASSES][2][GUESS_UNITS], of_rest[GUESS_RESTS][GUESS_UNITS];
    struct weight result[GUESS_RESULTS][GUESS_UNITS + 1];
} net;

static struct {
    uint64_t rng;
    struct solver *solver;
    struct sums *sums;
    struct guesser *guesser;
    struct example *examples;
    int count;
    uint64_t *seen; /* a set of bits */
} fit;

/* Whether the position was an example before, or one that shares its bit. */
static bool is_seen(const struct sum *sum, int side)
{
    uint64_t bit = splitmix64(sum->key[side]) >> (64 - SEEN_BITS);
    uint64_t mask = (uint64_t)1 << bit % 64;
    bool seen = fit.seen[bit / 64] & mask;

    fit.seen[bit / 64] |= mask;
    return seen;
}

static void add_example(const struct sum *sum, int side, bool won, int effort)
{
    struct example example = {.rest = (uint8_t)sum_rest(fit.sums, sum, side), .won = won};

    if (sum->groups == 0 || sum_stones(sum) > STONES_MOST || fit.count == EXAMPLES_MAX ||
        is_seen(sum, side))
        return;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < sum->groups; j++)
            example.all += guess_classes(fit.guesser, &sum->group[j], 8, side ^ i,
                                         example.class_of + example.all);
        example.own = i == 0 ? example.all : example.own;
    }
    /* The solver tells the number of bits of the nodes. */
    example.log_nodes = ((float)effort - 0.5F) * 0.693F;
    fit.examples[fit.count++] = example;
}

/* Walks from a position to random ones that the solver knows, and takes all that it sees. */
static void walk(struct position position)
{
    struct position known[MOVES_MAX];
    int count = 1;

    known[0] = position;
    while (count > 0) {
        struct move moves[MOVES_MAX];
        position = known[rng_below(&fit.rng, count)];
        count = 0;
        for (int i = clobber.legal(&position, moves); i-- > 0;) {
            struct position next = position;
            struct sum sum;
            clobber.apply(&next, moves[i]);
            struct solve_look look = solver_look(fit.solver, &next, 0);
            if (look.known == SOLVE_UNKNOWN || look.effort == 0)
                continue;
            known[count++] = next;
            sum_of_position(fit.sums, &sum, &next);
            add_example(&sum, next.side, look.known == SOLVE_WON, look.effort);
        }
    }
}

static void collect(int number)
{
    struct solve_request request = {.limits = NO_LIMITS};
    struct solve_answer answer;
    struct move moves[MOVES_MAX];
    struct cause cause;
    size_t kind = (size_t)number % (sizeof openings / sizeof openings[0]);

    if (!clobber.start(openings[kind].board, &request.position, &cause))
        return;
    for (int i = 0; i < openings[kind].plies; i++) {
        int count = clobber.legal(&request.position, moves);
        clobber.apply(&request.position, moves[rng_below(&fit.rng, count)]);
    }
    request.limits.nodes = NODES_EACH;
    solver_forget(fit.solver);
    solver_solve(fit.solver, &request, &answer);
    uint64_t walks = answer.nodes / NODES_A_WALK;
    for (uint64_t i = 0; i < walks && i < WALKS_MOST; i++)
        walk(request.position);
    fprintf(stderr, "%s after %d plies: %llu nodes, %d examples so far\n", openings[kind].board,
            openings[kind].plies, (unsigned long long)answer.nodes, fit.count);
}

static void run_forward(const struct example *example, float units[GUESS_UNITS + 1],
                        float result[GUESS_RESULTS])
{
    for (int i = 0; i < GUESS_UNITS; i++)
        units[i] = net.of_rest[example->rest][i].is;
    for (int j = 0; j < example->all; j++)
        for (int i = 0; i < GUESS_UNITS; i++)
            units[i] += net.of_class[example->class_of[j]][j >= example->own][i].is;
    for (int i = GUESS_LINEAR; i < GUESS_UNITS; i++)
        units[i] = units[i] > 0 ? units[i] : 0;
    units[GUESS_UNITS] = 1;
    for (int k = 0; k < GUESS_RESULTS; k++) {
        result[k] = 0;
        for (int i = 0; i <= GUESS_UNITS; i++)
            result[k] += net.result[k][i].is * units[i];
    }
}

static void move_weight(struct weight *weight, float gradient, float speed)
{
    gradient += decay * weight->is;
    weight->squares += gradient * gradient;
    weight->is -= speed * gradient / (sqrtf(weight->squares) + 1e-4F);
}

static void learn(const struct example *example, float speed)
{
    float units[GUESS_UNITS + 1], result[GUESS_RESULTS], gradient[GUESS_UNITS];

    run_forward(example, units, result);
    float wrong[GUESS_RESULTS] = {
        [GUESS_WIN] = 1 / (1 + expf(-result[GUESS_WIN])) - (float)example->won,
        [GUESS_NODES] = nodes_count * (result[GUESS_NODES] - example->log_nodes)};
    for (int i = 0; i < GUESS_UNITS; i++) {
        gradient[i] = 0;
        for (int k = 0; k < GUESS_RESULTS && (i < GUESS_LINEAR || units[i] > 0); k++)
            gradient[i] += wrong[k] * net.result[k][i].is;
    }
    for (int k = 0; k < GUESS_RESULTS; k++)
        for (int i = 0; i <= GUESS_UNITS; i++)
            move_weight(&net.result[k][i], wrong[k] * units[i], speed);
    for (int i = 0; i < GUESS_UNITS; i++) {
        move_weight(&net.of_rest[example->rest][i], gradient[i], speed);
        for (int j = 0; j < example->all; j++)
            move_weight(&net.of_class[example->class_of[j]][j >= example->own][i], gradient[i],
                        speed);
    }
}

static float random_float(float scale)
{
    return scale * ((float)rng_below(&fit.rng, 1 << 20) / (1 << 19) - 1);
}

static void begin_weights(void)
{
    for (int i = 0; i < GUESS_UNITS; i++) {
        for (int j = 0; j < GUESS_CLASSES; j++)
            for (int side = 0; side < 2; side++)
                net.of_class[j][side][i] = (struct weight){random_float(0.1F), 0.01F};
        for (int j = 0; j < GUESS_RESTS; j++)
            net.of_rest[j][i] = (struct weight){0, 0.01F};
        net.result[GUESS_WIN][i] = (struct weight){i < GUESS_LINEAR ? 1 : i % 2 ? 0.3F : -0.3F, 1};
        net.result[GUESS_NODES][i] = (struct weight){random_float(0.2F), 1};
    }
    for (int k = 0; k < GUESS_RESULTS; k++)
        net.result[k][GUESS_UNITS] = (struct weight){0, 1};
}

static void shuffle(void)
{
    for (int i = fit.count - 1; i > 0; i--) {
        int j = rng_below(&fit.rng, i + 1);
        struct example example = fit.examples[i];
        fit.examples[i] = fit.examples[j];
        fit.examples[j] = example;
    }
}

/* Prints how well the network does on examples that it did not learn from. */
static void judge(int epoch, int first)
{
    double loss = 0, error = 0;
    int right = 0, count = fit.count - first;

    for (int i = first; i < fit.count; i++) {
        const struct example *example = &fit.examples[i];
        float units[GUESS_UNITS + 1], result[GUESS_RESULTS];
        run_forward(example, units, result);
        float win = result[GUESS_WIN], off = result[GUESS_NODES] - example->log_nodes;
        loss += log1p(exp((double)(example->won ? -win : win)));
        right += (win > 0) == example->won;
        error += (double)(off * off);
    }
    fprintf(stderr, "epoch %d: loss %.4f, %.1f %% right; logarithm of nodes off by %.2f\n", epoch,
            loss / count, 100.0 * right / count, sqrt(error / count));
}

static int rounded(float weight, int scale, int most)
{
    long value = lrintf(weight * (float)scale);

    return (int)(value > most ? most : value < -most ? -most : value);
}

static void print_row(const struct weight *weights, int scale, int most)
{
    putchar('{');
    for (int i = 0; i < GUESS_UNITS; i++)
        printf("%s%d", i > 0 ? "," : "", rounded(weights[i].is, scale, most));
}

static void print_weights(char **argv)
{
    printf("/* Made by fit_guess %s %s %s, see tests/tools/fit_guess.c. */\n"
           "#include \"clobber_guess.h\"\n\n/* clang-format off */\n"
           "const int8_t guess_class_weights[GUESS_CLASSES][2][GUESS_UNITS] = {\n",
           argv[1], argv[2], argv[3]);
    for (int i = 0; i < GUESS_CLASSES; i++) {
        putchar('{');
        print_row(net.of_class[i][0], GUESS_UNIT, INT8_MAX);
        printf("},");
        print_row(net.of_class[i][1], GUESS_UNIT, INT8_MAX);
        printf("}},\n");
    }
    printf("};\n\nconst int16_t guess_rest_weights[GUESS_RESTS][GUESS_UNITS] = {\n");
    for (int i = 0; i < GUESS_RESTS; i++) {
        print_row(net.of_rest[i], GUESS_UNIT, INT16_MAX);
        printf("},\n");
    }
    printf("};\n\nconst int guess_result_weights[GUESS_RESULTS][GUESS_UNITS + 1] = {\n");
    for (int i = 0; i < GUESS_RESULTS; i++) {
        print_row(net.result[i], GUESS_RESULT, INT16_MAX);
        printf(",%d},\n",
               rounded(net.result[i][GUESS_UNITS].is, GUESS_RESULT * GUESS_UNIT, 1 << 24));
    }
    printf("};\n/* clang-format on */\n");
}

int main(int argc, char **argv)
{
    struct arena arena;

    if (argc != 4 || !arena_map(&arena, SUMS_BYTES + 4096, true)) {
        fprintf(stderr, "usage: fit_guess POSITIONS EPOCHS SEED\n");
        return 1;
    }
    int positions = (int)strtol(argv[1], NULL, 10), epochs = (int)strtol(argv[2], NULL, 10);
    fit.rng = strtoull(argv[3], NULL, 10);
    fit.solver = solver_new(SOLVER_BYTES, true);
    fit.sums = sums_new(SUMS_BYTES, &arena);
    fit.guesser = guesser_new();
    fit.examples = xcalloc(EXAMPLES_MAX, sizeof *fit.examples);
    fit.seen = xcalloc((size_t)1 << (SEEN_BITS - 6), sizeof *fit.seen);
    for (int i = 0; i < positions; i++)
        collect(i);
    shuffle();
    begin_weights();
    int first = fit.count - fit.count / 20;
    for (int epoch = 0; epoch < epochs; epoch++) {
        float speed = epoch < epochs / 2 ? rate : epoch < epochs * 3 / 4 ? rate / 2 : rate / 6;
        for (int i = 0; i < first; i++)
            learn(&fit.examples[i], speed);
        judge(epoch, first);
    }
    print_weights(argv);
    free(fit.seen);
    free(fit.examples);
    free(fit.guesser);
    sums_free(fit.sums);
    arena_unmap(&arena);
    solver_free(fit.solver);
    return 0;
}
