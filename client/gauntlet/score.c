#include "score.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/rng.h"

static const double normal_95 = 1.959964; /* two-sided */

void tally_add(struct pair_tally *tally, int first, int second)
{
    const int points[] = {first, second};

    for (int i = 0; i < 2; i++) {
        tally->losses += points[i] == 0;
        tally->draws += points[i] == 1;
        tally->wins += points[i] == 2;
    }
    tally->pairs[first + second]++;
}

int tally_pairs(const struct pair_tally *tally)
{
    int count = 0;

    for (int i = 0; i < PAIR_KINDS; i++)
        count += tally->pairs[i];
    return count;
}

double score_of_elo(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

double elo_of_score(double score)
{
    if (score <= 0)
        return -INFINITY;
    if (score >= 1)
        return INFINITY;
    return 400 * log10(score / (1 - score));
}

static double value_of(int kind)
{
    return (double)kind / (PAIR_KINDS - 1);
}

static void set_interval(struct estimate *estimate, const struct pair_tally *tally, int count)
{
    double sum = 0;
    for (int i = 0; i < PAIR_KINDS; i++)
        sum += tally->pairs[i] * (value_of(i) - estimate->score) * (value_of(i) - estimate->score);
    double variance = sum / count;
    double down = normal_95 * sqrt(variance / count), up = down;

    if (variance <= 0) {
        double others = 1 - pow(0.05, 1.0 / count);
        down = others * estimate->score;
        up = others * (1 - estimate->score);
    }
    estimate->score_low = fmax(0, estimate->score - down);
    estimate->score_high = fmin(1, estimate->score + up);
}

struct estimate estimate(const struct pair_tally *tally)
{
    struct estimate estimate = {.score = 0.5, .score_low = 0, .score_high = 1};
    int count = tally_pairs(tally);

    if (count > 0) {
        double sum = 0;
        for (int i = 0; i < PAIR_KINDS; i++)
            sum += tally->pairs[i] * value_of(i);
        estimate.score = sum / count;
        set_interval(&estimate, tally, count);
    }
    estimate.elo = elo_of_score(estimate.score);
    estimate.elo_low = elo_of_score(estimate.score_low);
    estimate.elo_high = elo_of_score(estimate.score_high);
    return estimate;
}

/* The share of each kind of pair. As in fishtest, kinds that did not occur get a little, since they
 * are not impossible. Returns the number of pairs that this makes. */
static double shares_of(const struct pair_tally *tally, double shares[PAIR_KINDS])
{
    double count = 0;

    for (int i = 0; i < PAIR_KINDS; i++)
        count += shares[i] = tally->pairs[i] > 0 ? tally->pairs[i] : 1e-3;
    for (int i = 0; i < PAIR_KINDS; i++)
        shares[i] /= count;
    return count;
}

/* Among shares with a given mean, the likeliest are shares[i] / (1 + x * (value - mean)), with the
 * x that gives them this mean (Van den Bergh, Proposition 1.1). The sum below falls with x and is 0
 * there. x lies between the two values that make a denominator 0. */
static double find_x(const double shares[PAIR_KINDS], double mean)
{
    double low = -1 / (1 - mean), high = 1 / mean;

    for (int step = 0; step < 100; step++) {
        double x = (low + high) / 2, sum = 0;
        for (int i = 0; i < PAIR_KINDS; i++)
            sum += shares[i] * (value_of(i) - mean) / (1 + x * (value_of(i) - mean));
        if (sum > 0)
            low = x;
        else
            high = x;
    }
    return (low + high) / 2;
}

double sprt_llr(const struct pair_tally *tally, double elo0, double elo1)
{
    double shares[PAIR_KINDS], mean0 = score_of_elo(elo0), mean1 = score_of_elo(elo1);
    double llr = 0;

    if (tally_pairs(tally) == 0)
        return 0;
    double count = shares_of(tally, shares);
    double x0 = find_x(shares, mean0), x1 = find_x(shares, mean1);
    for (int i = 0; i < PAIR_KINDS; i++)
        llr += shares[i] * log((1 + x0 * (value_of(i) - mean0)) / (1 + x1 * (value_of(i) - mean1)));
    return llr * count;
}

double sprt_lower(double alpha, double beta)
{
    return log(beta / (1 - alpha));
}

double sprt_upper(double alpha, double beta)
{
    return log((1 - beta) / alpha);
}

enum { ROUNDS = 500 }; /* of the iteration below, which has converged long before */

/* The points and the matches of one player against another, with the added draw. */
static double points_against(const struct rating_table *table, int player, int other)
{
    int half = player < other
                   ? table->half_points[player][other]
                   : 2 * table->matches[other][player] - table->half_points[other][player];

    return half / 2.0 + 0.5;
}

static int matches_against(const struct rating_table *table, int player, int other)
{
    return player < other ? table->matches[player][other] : table->matches[other][player];
}

/* The minorization-maximization algorithm (Hunter, "MM algorithms for generalized Bradley-Terry
 * models", 2004): each strength becomes the points over what the opponents make of the matches. */
static void fit_strengths(const struct rating_table *table, double elo[GAUNTLET_PLAYERS_MAX])
{
    double strength[GAUNTLET_PLAYERS_MAX], mean = 0;

    for (int i = 0; i < table->count; i++)
        strength[i] = 1;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < table->count; i++) {
            double points = 0, weight = 0;
            for (int j = 0; j < table->count; j++) {
                if (j == i || matches_against(table, i, j) == 0)
                    continue;
                points += points_against(table, i, j);
                weight += (matches_against(table, i, j) + 1) / (strength[i] + strength[j]);
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
static void play_by_chance(const struct rating_table *table, struct rating_table *again,
                           uint64_t *rng)
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

    fit_strengths(table, table->elo);
    for (int i = 0; i < SIMULATIONS; i++) {
        play_by_chance(table, &again, &rng);
        fit_strengths(&again, elo);
        for (int player = 0; player < table->count; player++)
            squares[player] += pow(elo[player] - table->elo[player], 2);
    }
    for (int player = 0; player < table->count; player++)
        table->error[player] = 1.96 * sqrt(squares[player] / SIMULATIONS);
}

static void print_rated(const struct rating_table *table, int rank, int player, const char *label)
{
    double points = 0;
    int matches = 0;

    for (int other = 0; other < table->count; other++) {
        if (other == player || matches_against(table, player, other) == 0)
            continue;
        points += points_against(table, player, other) - 0.5;
        matches += matches_against(table, player, other);
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
        print_rated(table, rank, best, labels[best]);
    }
}
