#include "score.h"

#include <math.h>

static const double normal_95 = 1.959964; /* two-sided */

void tally_add(struct tally *tally, int first, int second)
{
    const int points[] = {first, second};

    for (int i = 0; i < 2; i++) {
        tally->losses += points[i] == 0;
        tally->draws += points[i] == 1;
        tally->wins += points[i] == 2;
    }
    tally->pairs[first + second]++;
}

int tally_pairs(const struct tally *tally)
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

static double mean_of(const struct tally *tally, int count)
{
    double sum = 0;

    for (int i = 0; i < PAIR_KINDS; i++)
        sum += tally->pairs[i] * value_of(i);
    return sum / count;
}

/* The variance of one pair, not of the mean. */
static double variance_of(const struct tally *tally, int count, double mean)
{
    double sum = 0;

    for (int i = 0; i < PAIR_KINDS; i++)
        sum += tally->pairs[i] * (value_of(i) - mean) * (value_of(i) - mean);
    return sum / count;
}

static void set_interval(struct estimate *estimate, const struct tally *tally, int count)
{
    double variance = variance_of(tally, count, estimate->score);
    double down = normal_95 * sqrt(variance / count), up = down;

    if (variance <= 0) {
        double others = 1 - pow(0.05, 1.0 / count);
        down = others * estimate->score;
        up = others * (1 - estimate->score);
    }
    estimate->score_low = fmax(0, estimate->score - down);
    estimate->score_high = fmin(1, estimate->score + up);
}

struct estimate estimate(const struct tally *tally)
{
    struct estimate estimate = {.score = 0.5, .score_low = 0, .score_high = 1};
    int count = tally_pairs(tally);

    if (count > 0) {
        estimate.score = mean_of(tally, count);
        set_interval(&estimate, tally, count);
    }
    estimate.elo = elo_of_score(estimate.score);
    estimate.elo_low = elo_of_score(estimate.score_low);
    estimate.elo_high = elo_of_score(estimate.score_high);
    return estimate;
}

/* The share of each kind of pair. As in fishtest, kinds that did not occur get a little, since they
 * are not impossible. Returns the number of pairs that this makes. */
static double shares_of(const struct tally *tally, double shares[PAIR_KINDS])
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

double sprt_llr(const struct tally *tally, double elo0, double elo1)
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

double sprt_bound(void)
{
    return log(0.95 / 0.05);
}
