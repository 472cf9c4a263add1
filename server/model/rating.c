/* The step numbers and letters in the comments are those of the paper. */
#include "rating.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

enum { ITERATIONS_MAX = 100 }; /* finding the volatility takes about 10 */

static const double pi = 3.14159265358979323846;
static const double tau = 0.5;        /* how fast the volatility may change */
static const double scale = 173.7178; /* from the paper's internal scale to Elo's */
static const double tolerance = 0.000001;
static const double foregone = 0.02 * 0.98; /* the variance of a result expected by 98 % */

static const struct glicko start = {1500, 350, 0.06};
static const struct glicko lowest = {100, 1, 0.001};
static const struct glicko highest = {4000, 350, 0.5};

struct glicko glicko_start(void)
{
    return start;
}

static double in_range(double value, double low, double high, double otherwise)
{
    if (isnan(value))
        return otherwise;
    return fmin(fmax(value, low), high);
}

struct glicko glicko_sane(struct glicko values)
{
    return (struct glicko){
        in_range(values.rating, lowest.rating, highest.rating, start.rating),
        in_range(values.deviation, lowest.deviation, highest.deviation, start.deviation),
        in_range(values.volatility, lowest.volatility, highest.volatility, start.volatility)};
}

/* The evidence of a period's results about a player, on the paper's internal scale. */
struct evidence {
    double phi;         /* the deviation before it */
    double sigma;       /* the volatility before it */
    double variance;    /* v: of the rating, from the results alone */
    double surprise;    /* the sum of g(phi_j) (s_j - E_j) */
    double improvement; /* Delta = v * surprise */
};

/* Steps 3 and 4. `least`: the variance that a result has at least, however foregone. */
static struct evidence weigh_evidence(struct glicko player, const struct glicko_result *results,
                                      int count, double least)
{
    struct evidence evidence = {.phi = player.deviation / scale, .sigma = player.volatility};
    double information = 0;

    for (int i = 0; i < count; i++) {
        struct glicko opponent = glicko_sane(results[i].opponent);
        double phi = opponent.deviation / scale;
        double g = 1 / sqrt(1 + 3 * phi * phi / (pi * pi));
        double expected = 1 / (1 + exp(-g * (player.rating - opponent.rating) / scale));
        information += g * g * fmax(expected * (1 - expected), least);
        evidence.surprise += g * (in_range(results[i].score, 0, 1, 0.5) - expected);
    }
    evidence.variance = 1 / information;
    evidence.improvement = evidence.variance * evidence.surprise;
    return evidence;
}

/* Step 5.1: f(x), which is 0 where e^x is the square of the new volatility. */
static double volatility_misfit(const struct evidence *evidence, double x)
{
    double spread = evidence->phi * evidence->phi + evidence->variance + exp(x);
    double excess = evidence->improvement * evidence->improvement - spread;
    double before = log(evidence->sigma * evidence->sigma);

    return exp(x) * excess / (2 * spread * spread) - (x - before) / (tau * tau);
}

/* Step 5.2: a bound on the other side of the zero from `a`. */
static double other_side(const struct evidence *evidence, double a)
{
    double excess = evidence->improvement * evidence->improvement - evidence->phi * evidence->phi -
                    evidence->variance;
    int k = 1;

    if (excess > 0)
        return log(excess);
    while (k < ITERATIONS_MAX && volatility_misfit(evidence, a - k * tau) < 0)
        k++;
    return a - k * tau;
}

/* Steps 5.3 to 5.5: the Illinois iteration. */
static double new_volatility(const struct evidence *evidence)
{
    double a = log(evidence->sigma * evidence->sigma), b = other_side(evidence, a);
    double at_a = volatility_misfit(evidence, a), at_b = volatility_misfit(evidence, b);

    for (int i = 0; i < ITERATIONS_MAX && fabs(b - a) > tolerance && at_a != at_b; i++) {
        double c = a + (a - b) * at_a / (at_b - at_a), at_c = volatility_misfit(evidence, c);
        if (at_c * at_b <= 0) {
            a = b;
            at_a = at_b;
        } else {
            at_a /= 2;
        }
        b = c;
        at_b = at_c;
    }
    return exp(a / 2);
}

/* Updates the rating after so much of a period. */
static struct glicko update_rating(struct glicko player, const struct evidence *evidence,
                                   double period)
{
    double volatility = in_range(new_volatility(evidence), lowest.volatility, highest.volatility,
                                 player.volatility);
    /* Steps 6 to 8. */
    double unsure = hypot(evidence->phi, volatility * sqrt(period));
    double phi = 1 / sqrt(1 / (unsure * unsure) + 1 / evidence->variance);
    return glicko_sane((struct glicko){player.rating + phi * phi * evidence->surprise * scale,
                                       phi * scale, volatility});
}

struct glicko glicko_update(struct glicko player, const struct glicko_result *results, int count)
{
    player = glicko_sane(player);
    if (count <= 0) { /* the paper's rule for a player without results */
        player.deviation = hypot(player.deviation, player.volatility * scale);
        return glicko_sane(player);
    }
    struct evidence evidence = weigh_evidence(player, results, count, 0);
    return update_rating(player, &evidence, 1);
}

struct glicko glicko_match(struct glicko player, const struct glicko_result *result)
{
    player = glicko_sane(player);
    struct evidence evidence = weigh_evidence(player, result, 1, foregone);
    /* The variance is at least 4, which it has between equals. */
    return update_rating(player, &evidence, 4 / evidence.variance);
}

bool glicko_in_range(const struct glicko *glicko)
{
    return glicko->rating >= lowest.rating && glicko->rating <= highest.rating &&
           glicko->deviation >= lowest.deviation && glicko->deviation <= highest.deviation &&
           glicko->volatility >= lowest.volatility && glicko->volatility <= highest.volatility;
}

struct rating *rating_find(const struct rating_list *list, const struct game *game,
                           const char *variant)
{
    struct rating *rating;

    SLIST_FOREACH(rating, list, link)
    if (rating->game == game && strcmp(rating->variant, variant) == 0)
        return rating;
    return NULL;
}

struct rating *rating_find_or_add(struct rating_list *list, const struct game *game,
                                  const char *variant)
{
    struct rating *rating = rating_find(list, game, variant);

    if (rating != NULL)
        return rating;
    rating = xcalloc(1, sizeof *rating);
    rating->game = game;
    rating->now = glicko_start();
    snprintf(rating->variant, sizeof rating->variant, "%s", variant);
    SLIST_INSERT_HEAD(list, rating, link);
    return rating;
}

bool rating_is_of_puzzles(const struct rating *rating)
{
    return strcmp(rating->variant, VARIANT_PUZZLES) == 0;
}

bool rating_has_tried(const struct rating *rating, int number)
{
    return rating != NULL && number / 8 < rating->tried_bytes &&
           (rating->tried[number / 8] >> number % 8 & 1) != 0;
}

void rating_note_tried(struct rating *rating, int number)
{
    int bytes = number / 8 + 1;

    if (bytes > rating->tried_bytes) {
        rating->tried = xrealloc(rating->tried, (size_t)bytes);
        memset(rating->tried + rating->tried_bytes, 0, (size_t)(bytes - rating->tried_bytes));
        rating->tried_bytes = bytes;
    }
    rating->tried[number / 8] |= (unsigned char)(1u << number % 8);
}

const struct rating *rating_main(const struct rating_list *list)
{
    const struct rating *rating, *most = NULL;

    SLIST_FOREACH(rating, list, link)
    if (rating->matches > 0 && !rating_is_of_puzzles(rating) &&
        (most == NULL || rating->matches >= most->matches))
        most = rating;
    return most;
}

void ratings_release(struct rating_list *list)
{
    struct rating *rating;

    while ((rating = SLIST_FIRST(list)) != NULL) {
        SLIST_REMOVE_HEAD(list, link);
        free(rating->tried);
        free(rating);
    }
}
