#include "rating_table.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "client/bot/base/rng.h"
#include "score.h"

enum { ROUNDS = 500 }; /* of the iteration below, which has converged long before */

/* The points and the matches of one player against another, with the added draw. */
static double points_of(const struct rating_table *table, int player, int other)
{
    int half = player < other
                   ? table->half_points[player][other]
                   : 2 * table->matches[other][player] - table->half_points[other][player];

    return half / 2.0 + 0.5;
}

static int matches_of(const struct rating_table *table, int player, int other)
{
    return player < other ? table->matches[player][other] : table->matches[other][player];
}

/* The minorization-maximization algorithm (Hunter, "MM algorithms for generalized Bradley-Terry
 * models", 2004): each strength becomes the points over what the opponents make of the matches. */
static void fit(const struct rating_table *table, double elo[GAUNTLET_PLAYERS_MAX])
{
    double strength[GAUNTLET_PLAYERS_MAX], mean = 0;

    for (int i = 0; i < table->count; i++)
        strength[i] = 1;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < table->count; i++) {
            double points = 0, weight = 0;
            for (int j = 0; j < table->count; j++) {
                if (j == i)
                    continue;
                points += points_of(table, i, j);
                weight += (matches_of(table, i, j) + 1) / (strength[i] + strength[j]);
            }
            strength[i] = points / weight;
        }
    for (int i = 0; i < table->count; i++)
        mean += elo[i] = 400 * log10(strength[i]);
    mean /= table->count;
    for (int i = 0; i < table->count; i++)
        elo[i] -= mean;
}

/* Plays the matches of a table again, each won or lost by chance. */
static void play_again(const struct rating_table *table, struct rating_table *again, uint64_t *rng)
{
    *again = *table;
    for (int i = 0; i < table->count; i++)
        for (int j = i + 1; j < table->count; j++) {
            double chance = score_of_elo(table->elo[i] - table->elo[j]);
            again->half_points[i][j] = 0;
            for (int match = 0; match < table->matches[i][j]; match++)
                again->half_points[i][j] += rng_below(rng, 1000000) < chance * 1000000 ? 2 : 0;
        }
}

void rating_table_rate(struct rating_table *table)
{
    double elo[GAUNTLET_PLAYERS_MAX], squares[GAUNTLET_PLAYERS_MAX] = {0};
    struct rating_table again;
    uint64_t rng = 1;

    fit(table, table->elo);
    for (int i = 0; i < SIMULATIONS; i++) {
        play_again(table, &again, &rng);
        fit(&again, elo);
        for (int player = 0; player < table->count; player++)
            squares[player] += pow(elo[player] - table->elo[player], 2);
    }
    for (int player = 0; player < table->count; player++)
        table->error[player] = 1.96 * sqrt(squares[player] / SIMULATIONS);
}

static void print_row(const struct rating_table *table, int rank, int player, const char *label)
{
    double points = 0;
    int matches = 0;

    for (int other = 0; other < table->count; other++) {
        if (other == player)
            continue;
        points += points_of(table, player, other) - 0.5;
        matches += matches_of(table, player, other);
    }
    printf("%4d  %+6.0f  %5.0f  %7.1f  %7d  %5.1f %%  %s\n", rank, table->elo[player],
           table->error[player], points, matches, matches > 0 ? 100 * points / matches : 0, label);
}

void rating_table_print(const struct rating_table *table, const char *const labels[])
{
    bool shown[GAUNTLET_PLAYERS_MAX] = {false};

    puts("rank     elo    +/-   points  matches    score  player");
    for (int rank = 1; rank <= table->count; rank++) {
        int best = -1;
        for (int i = 0; i < table->count; i++)
            if (!shown[i] && (best < 0 || table->elo[i] > table->elo[best]))
                best = i;
        shown[best] = true;
        print_row(table, rank, best, labels[best]);
    }
}
