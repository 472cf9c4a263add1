/*
 * Perft of every game from the start, and its speed.
 *
 *     perft_bench                      the table below, each row several times
 *     perft_bench GAME[:VARIANT] N     only the nodes of perft N
 *
 * Exits 1 when a count differs from the known one. Speed is per second of processor time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/game.h"
#include "common/text.h"

enum { ROUNDS = 5, DEPTH_MAX = 9 };

/* The games and their depths; the last depth is timed. Two independent programs agree on the known
 * numbers; without one, the count is only shown. */
static const struct row {
    const char *name;
    int depth;
    uint64_t known[DEPTH_MAX]; /* [depth - 1]; 0: not known */
} rows[] = {
    {"clobber:5x6", 6, {49, 2116, 80063, 2630382, 74662024, 1816303198}},
    {"clobber:8x8", 4, {112, 11848, 1182276, 111070552}},
    {"clobber:10x10", 4, {180, 31252, 5231000, 843437916}},
    {"xadrersi:touch", 6, {64, 1680, 50232, 1805208}},
    {"xadrersi:attack", 5, {64, 1680, 51828, 2505892}},
    {"latrunculi", 5, {53, 2614, 139309, 7005883}},
    {"shakti", 6, {26, 660, 16535, 403471, 9874591}},
};

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int compare_doubles(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* Counts, and sets *seconds to the time taken. */
static uint64_t perft_timed(const struct game *game, const struct position *start, int depth,
                            double *seconds)
{
    double began = cpu_seconds();
    uint64_t nodes = perft(game, start, depth);

    *seconds = cpu_seconds() - began;
    return nodes;
}

/* Prints one line without its end. Returns false when the count is wrong. */
static bool print_count(const struct row *row, int depth, uint64_t nodes)
{
    uint64_t known = row->known[depth - 1];
    bool right = known == 0 || known == nodes;

    printf("%-16s %5d %13" PRIu64, depth == 1 ? row->name : "", depth, nodes);
    if (known != 0)
        printf("  %s", right ? "known" : "WRONG");
    return right;
}

/* Prints the counts of one game and the speed of the last. Returns false when one is wrong. */
static bool run_row(const struct row *row)
{
    double seconds[ROUNDS];
    struct position start;
    struct cause cause;
    bool right = true;
    const struct game *game = game_open(row->name, &start, NULL, &cause);

    if (game == NULL) {
        printf("%s: %s\n", row->name, cause.text);
        return false;
    }
    for (int depth = 1; depth < row->depth; depth++) {
        right = print_count(row, depth, perft(game, &start, depth)) && right;
        printf("\n");
    }
    uint64_t nodes = 0;
    for (int i = 0; i < ROUNDS; i++)
        nodes = perft_timed(game, &start, row->depth, &seconds[i]);
    qsort(seconds, ROUNDS, sizeof seconds[0], compare_doubles);
    right = print_count(row, row->depth, nodes) && right;
    printf("%*s %10.3f %10.0f %10.0f\n\n", row->known[row->depth - 1] != 0 ? 0 : 7, "",
           seconds[ROUNDS / 2], (double)nodes / seconds[0] / 1e6,
           (double)nodes / seconds[ROUNDS / 2] / 1e6);
    return right;
}

static int run_table(void)
{
    bool right = true;

    printf("Perft from the start; the last ply is counted, not played.\n"
           "Speed of the last depth of each game: %d rounds, in million nodes a second.\n\n"
           "%-16s %5s %13s  %5s %10s %10s %10s\n",
           ROUNDS, "game", "depth", "nodes", "", "seconds", "best", "median");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        right = run_row(&rows[i]) && right;
    return !right;
}

/* Prints only the nodes, for bench.sh to time. */
static int run_single(const char *name, const char *depth_text)
{
    struct position start;
    struct cause cause = {"write perft_bench GAME[:VARIANT] DEPTH"};
    long depth;
    const struct game *game = game_open(name, &start, NULL, &cause);

    if (game == NULL || !number_parse(depth_text, strlen(depth_text), 1, 20, &depth)) {
        fprintf(stderr, "perft_bench: %s\n", cause.text);
        return 2;
    }
    printf("%" PRIu64 "\n", perft(game, &start, (int)depth));
    return 0;
}

int main(int argc, char **argv)
{
    return argc == 3 ? run_single(argv[1], argv[2]) : run_table();
}
