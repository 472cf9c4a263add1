/* The statistics of a gauntlet against values computed by hand. */
#include <math.h>

#include "check.h"
#include "client/gauntlet/score.h"

static void check_close(const char *what, double got, double want, double tolerance)
{
    CHECK_THAT(fabs(got - want) <= tolerance, "%s is %.6f, expected %.6f", what, got, want);
}

static struct pair_tally pairs(int p0, int p1, int p2, int p3, int p4)
{
    return (struct pair_tally){.pairs = {p0, p1, p2, p3, p4}};
}

static void test_elo(void)
{
    check_about("elo and score");
    check_close("as strong", score_of_elo(0), 0.5, 1e-12);
    check_close("400 more are ten to one", score_of_elo(400), 10.0 / 11, 1e-12);
    check_close("three to one: 400 log10 3", elo_of_score(0.75), 190.848502, 1e-6);
    check_close("and back", elo_of_score(score_of_elo(-123.4)), -123.4, 1e-9);
    CHECK(elo_of_score(1) == INFINITY);
    CHECK(elo_of_score(0) == -INFINITY);
}

static void test_counting(void)
{
    struct pair_tally tally = {0};

    check_about("counting");
    tally_add(&tally, 2, 2);
    tally_add(&tally, 0, 1);
    tally_add(&tally, 2, 0);
    tally_add(&tally, 1, 1);
    CHECK_INT(tally.wins, 3);
    CHECK_INT(tally.draws, 3);
    CHECK_INT(tally.losses, 2);
    CHECK_INT(tally_pairs(&tally), 4);
    CHECK_INT(tally.pairs[4], 1);
    CHECK_INT(tally.pairs[1], 1);
    CHECK_INT(tally.pairs[2], 2);
    check_close("score", estimate(&tally).score, 9.0 / 16, 1e-12);
}

/* Variance of a pair 1/8, of the mean of four 1/32, so 1.959964 / sqrt(32) = 0.346476 each way;
 * 400 log10(0.846476 / 0.153524) = 296.577. */
static void test_interval(void)
{
    struct pair_tally tally = pairs(1, 0, 2, 0, 1);
    struct estimate e = estimate(&tally);

    check_about("the interval, from the pairs");
    check_close("score", e.score, 0.5, 1e-12);
    check_close("low", e.score_low, 0.153524, 1e-6);
    check_close("high", e.score_high, 0.846476, 1e-6);
    check_close("Elo", e.elo, 0, 1e-9);
    check_close("Elo, high", e.elo_high, 296.577, 0.01);
    check_close("Elo, low", e.elo_low, -296.577, 0.01);

    check_about("the interval is that of pairs: openings that decide make it narrow");
    struct pair_tally alone = pairs(50, 0, 0, 0, 50), paired = pairs(1, 0, 98, 0, 1);
    /* Both have 100 wins and 100 losses. Standard error 1/20, and sqrt(2/400)/10. */
    check_close("one side wins both", estimate(&alone).score_high, 0.5 + 1.959964 / 20, 1e-6);
    check_close("white wins", estimate(&paired).score_high, 0.5 + 0.1959964 * sqrt(0.005), 1e-6);
}

static void test_all_alike(void)
{
    struct pair_tally won = pairs(0, 0, 0, 0, 10), even = pairs(0, 0, 10, 0, 0), none = {0};
    struct estimate e = estimate(&won);

    check_about("pairs that all end alike: 0.05^(1/10) = 0.741134");
    check_close("score", e.score, 1, 0);
    check_close("low", e.score_low, 0.741134, 1e-6);
    check_close("high", e.score_high, 1, 0);
    CHECK(e.elo == INFINITY && e.elo_high == INFINITY);
    check_close("Elo, low: 400 log10 2.86300", e.elo_low, 182.729, 0.001);
    e = estimate(&even);
    check_close("even, low", e.score_low, 0.5 * 0.741134, 1e-6);
    check_close("even, high", e.score_high, 1 - 0.5 * 0.741134, 1e-6);

    check_about("no pairs");
    e = estimate(&none);
    check_close("score", e.score, 0.5, 0);
    CHECK(e.elo_low == -INFINITY && e.elo_high == INFINITY);
    check_close("LLR", sprt_llr(&none, 0, 5), 0, 0);
}

static void test_llr(void)
{
    check_about("LLR where pairs are won or lost: 70 ln(0.640065/0.5) + 30 ln(0.359935/0.5)");
    struct pair_tally two = pairs(30, 0, 0, 0, 70);
    check_close("LLR", sprt_llr(&two, 0, 100), 7.4267, 0.01);

    check_about("LLR in general: near N (s1 - s0)(2s - s0 - s1) / (2 var)");
    struct pair_tally tally = pairs(80, 210, 400, 220, 90);
    double s0 = 0.5, s1 = score_of_elo(5), mean = (210 + 800 + 660 + 360) / 4000.0;
    double variance = (210 / 16.0 + 400 / 4.0 + 220 * 9 / 16.0 + 90) / 1000 - mean * mean;
    double want = 1000 * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
    check_close("LLR", sprt_llr(&tally, 0, 5), want, 0.01 * fabs(want));

    check_about("LLR in the mirror");
    struct pair_tally mirrored = pairs(90, 220, 400, 210, 80);
    check_close("LLR", sprt_llr(&mirrored, -5, 0), -sprt_llr(&tally, 0, 5), 1e-6);

    check_about("the SPRT's bound: ln 19");
    check_close("upper bound", sprt_upper(0.05, 0.05), 2.944439, 1e-6);
    check_close("lower bound", sprt_lower(0.05, 0.05), -2.944439, 1e-6);
    check_close("upper bound, unlike", sprt_upper(0.01, 0.1), 4.499810, 1e-6);
    check_close("lower bound, unlike", sprt_lower(0.01, 0.1), -2.292535, 1e-6);
}

static void test_ratings(void)
{
    struct rating_table two = {.count = 2, .matches[0][1] = 999, .half_points[0][1] = 1499};
    struct rating_table three = {.count = 3};

    check_about("the ratings of two players");
    rating_table_rate(&two);
    /* 750 points of 1000, with the added draw */
    check_close("three to one", two.elo[0] - two.elo[1], 190.848502, 1e-3);
    check_close("the mean", two.elo[0] + two.elo[1], 0, 1e-9);
    /* sqrt(p (1 - p) / n) of the score, as Elo: 1.96 * 0.0137 * 400 / (ln 10 * p (1 - p)) / 2 */
    check_close("the error", two.error[0], 12.4, 2.5);

    check_about("the ratings of three players, of whom one lost everything");
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++)
            three.matches[i][j] = 20;
    three.half_points[0][1] = 20; /* all against all even, but the third loses */
    three.half_points[0][2] = three.half_points[1][2] = 40;
    rating_table_rate(&three);
    check_close("equal results", three.elo[0] - three.elo[1], 0, 1e-6);
    CHECK(three.elo[2] < -300 && isfinite(three.elo[2]));
    CHECK(three.error[2] > three.error[0] && three.error[0] > 0);
    struct rating_table again = three;
    rating_table_rate(&again);
    CHECK(again.error[1] == three.error[1]);
}

int main(void)
{
    test_ratings();
    test_elo();
    test_counting();
    test_interval();
    test_all_alike();
    test_llr();
    return check_end("test_gauntlet");
}
