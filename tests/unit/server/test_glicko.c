/* Glicko-2 against the example in its paper, and at the ends of its ranges. */
#include <math.h>
#include <stdint.h>

#include "check.h"
#include "server/model/rating.h"

static void check_close(const char *what, double got, double want, double tolerance)
{
    CHECK_THAT(fabs(got - want) <= tolerance, "%s is %.6f, expected %.6f", what, got, want);
}

static void test_example(void)
{
    const struct glicko_result results[] = {
        {{1400, 30, 0.06}, 1}, {{1550, 100, 0.06}, 0}, {{1700, 300, 0.06}, 0}};
    struct glicko player = {1500, 200, 0.06};

    check_about("the example of the paper");
    player = glicko_update(player, results, 3);
    check_close("rating", player.rating, 1464.06, 0.01);
    check_close("deviation", player.deviation, 151.52, 0.01);
    check_close("volatility", player.volatility, 0.05999, 0.00001);
}

/* The figures are those of another program, which follows the paper, too. */
static void test_upset(void)
{
    const struct glicko_result result = {{2400, 50, 0.06}, 1};
    struct glicko player = glicko_update((struct glicko){1500, 50, 0.3}, &result, 1);

    check_about("a volatile player wins against a far better one");
    check_close("rating", player.rating, 1529.6161, 0.001);
    check_close("deviation, of the new volatility", player.deviation, 72.3909, 0.001);
    check_close("volatility", player.volatility, 0.301636, 0.00001);
}

static void test_idle(void)
{
    check_about("a period without matches");
    struct glicko player = glicko_update((struct glicko){1700, 100, 0.06}, NULL, 0);
    check_close("rating", player.rating, 1700, 0);
    check_close("deviation", player.deviation, hypot(100, 0.06 * 173.7178), 0.0001);
    check_close("the deviation at the start stays",
                glicko_update(glicko_start(), NULL, 0).deviation, 350, 0);
}

static struct glicko after(struct glicko player, struct glicko opponent, double score)
{
    struct glicko_result result = {opponent, score};

    return glicko_match(player, &result);
}

/* Independently computed, in Python, from the paper's formulas with E(1 - E) at least 0.0196 and
 * phi*^2 = phi^2 + sigma'^2 * 4 / v. */
static void test_match(void)
{
    static const struct {
        struct glicko player;
        struct glicko_result result;
        struct glicko after;
    } rows[] = {
        {{1500, 350, 0.06}, {{1500, 350, 0.06}, 1}, {1662.256278, 290.270115, 0.05999968}},
        {{1500, 350, 0.06}, {{1500, 350, 0.06}, 0.5}, {1500.000000, 290.270114, 0.05999896}},
        {{2000, 60, 0.06}, {{1990, 60, 0.06}, 0}, {1989.538577, 59.985584, 0.06000009}},
        {{2600, 161, 0.06}, {{1200, 80, 0.06}, 1}, {2600.057679, 159.766011, 0.05999976}},
        {{2600, 161, 0.06}, {{1200, 80, 0.06}, 0}, {2457.641555, 159.766021, 0.06001204}},
        {{1400, 200, 0.3}, {{1700, 30, 0.06}, 1}, {1571.170880, 187.678087, 0.30068385}},
    };

    check_about("one match");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct glicko after = glicko_match(rows[i].player, &rows[i].result);
        check_close("rating", after.rating, rows[i].after.rating, 0.001);
        check_close("deviation", after.deviation, rows[i].after.deviation, 0.001);
        check_close("volatility", after.volatility, rows[i].after.volatility, 0.000001);
    }
}

/* Who wins for years against whomever stays as certain as they were, and one loss costs little. */
static void test_favourite(void)
{
    static const double opponents[][2] = {{100, 60}, {900, 350}, {1000, 100}, {1500, 350}};

    for (size_t i = 0; i < LENGTH(opponents); i++) {
        struct glicko player = glicko_start();
        struct glicko_result won = {{opponents[i][0], opponents[i][1], 0.06}, 1}, lost = won;
        double least = player.deviation;
        lost.score = 0;
        check_about("3,000 wins against %g", opponents[i][0]);
        for (int match = 1; match <= 3000; match++) {
            player = glicko_match(player, &won);
            least = fmin(least, player.deviation);
            CHECK(player.deviation < least + 5);
            if (match < 400 || match % 100 != 0)
                continue;
            struct glicko after = glicko_match(player, &lost);
            CHECK_THAT(player.rating - after.rating < 150 && after.deviation < least + 5,
                       "an upset after %d wins: %f to %f, %f to %f", match, player.rating,
                       after.rating, player.deviation, after.deviation);
        }
        check_close("where the deviation ends", player.deviation, 61, 3);
    }
    check_about("equals who draw for years");
    struct glicko player = glicko_start();
    for (int match = 0; match < 3000; match++)
        player = glicko_match(player, &(struct glicko_result){player, 0.5});
    check_close("where the deviation ends", player.deviation, 58, 3);
}

static void test_symmetry(void)
{
    check_about("beginners, one match");
    struct glicko start = glicko_start();
    struct glicko won = after(start, start, 1), lost = after(start, start, 0),
                  drawn = after(start, start, 0.5);
    check_close("what one wins the other loses", won.rating - 1500, 1500 - lost.rating, 1e-6);
    check_close("equal deviations", won.deviation, lost.deviation, 1e-9);
    check_close("a draw of equals", drawn.rating, 1500, 1e-9);
    CHECK(won.rating > 1600 && won.rating < 1700);
    CHECK(won.deviation < 300 && won.deviation > 280);

    check_about("a weaker and a stronger player");
    struct glicko weak = {1400, 60, 0.06}, strong = {1800, 60, 0.06};
    CHECK(after(weak, strong, 1).rating - 1400 > after(strong, weak, 1).rating - 1800);
    CHECK(after(weak, strong, 0.5).rating > 1400 && after(strong, weak, 0.5).rating < 1800);
    CHECK(after(weak, strong, 1).volatility > weak.volatility);

    check_about("a player in the mirror");
    check_close(
        "ratings mirrored at 1500", after((struct glicko){1600, 80, 0.06}, strong, 1).rating,
        3000 - after((struct glicko){1400, 80, 0.06}, (struct glicko){1200, 60, 0.06}, 0).rating,
        1e-6);
}

static void check_sane(struct glicko values)
{
    CHECK_THAT(values.rating >= 100 && values.rating <= 4000, "rating %f", values.rating);
    CHECK_THAT(values.deviation > 0 && values.deviation <= 350, "deviation %f", values.deviation);
    CHECK_THAT(values.volatility >= 0.001 && values.volatility <= 0.5, "volatility %f",
               values.volatility);
}

static void test_extremes(void)
{
    const double values[] = {0, -1, 1, 100, 350, 4000, 1e9, -1e9, 1e308, INFINITY, -INFINITY, NAN};
    const double scores[] = {0, 0.5, 1, -7, INFINITY, NAN};

    check_about("values out of range");
    for (size_t i = 0; i < LENGTH(values); i++)
        for (size_t j = 0; j < LENGTH(values); j++)
            for (size_t k = 0; k < LENGTH(scores); k++) {
                struct glicko a = {values[i], values[j], values[(i + j) % LENGTH(values)]};
                struct glicko b = {values[j], values[(i + k) % LENGTH(values)], values[i]};
                check_sane(after(a, b, scores[k]));
            }
    check_sane(glicko_update((struct glicko){NAN, NAN, NAN}, NULL, 0));

    check_about("the greatest surprise there is");
    const double deviations[] = {1, 30, 350};
    for (size_t i = 0; i < LENGTH(deviations); i++) {
        struct glicko low = {100, deviations[i], 0.06}, high = {4000, deviations[i], 0.06};
        check_sane(after(low, high, 1));
        check_sane(after(high, low, 0));
        CHECK(after(low, high, 1).rating > 100);
    }
}

static void test_range(void)
{
    static const struct {
        struct glicko values;
        bool good;
    } rows[] = {
        {{1500, 350, 0.06}, true},  {{100, 1, 0.001}, true},      {{4000, 350, 0.5}, true},
        {{99.9, 350, 0.06}, false}, {{4000.1, 350, 0.06}, false}, {{1500, 0.9, 0.06}, false},
        {{1500, 351, 0.06}, false}, {{1500, 350, 0.0009}, false}, {{1500, 350, 0.51}, false},
        {{NAN, 350, 0.06}, false},  {{1500, NAN, 0.06}, false},   {{1500, 350, NAN}, false},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct glicko *values = &rows[i].values;
        check_about("%g +-%g, %g", values->rating, values->deviation, values->volatility);
        CHECK_INT(glicko_in_range(values), rows[i].good);
    }
}

/* A generator of our own, so that all runs are alike. */
static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void test_thousand(void)
{
    struct glicko players[10] = {0};
    uint32_t state = 7;
    double sum = 0;

    check_about("a thousand matches, the one of the higher number wins three of four");
    for (size_t i = 0; i < LENGTH(players); i++)
        players[i] = glicko_start();
    for (int match = 0; match < 1000; match++) {
        size_t a = next(&state) % 10, b = (a + 1 + next(&state) % 9) % 10;
        double score = (next(&state) % 4 != 0) == (a > b) ? 1 : 0;
        struct glicko before = players[a];
        players[a] = after(players[a], players[b], score);
        players[b] = after(players[b], before, 1 - score);
        check_sane(players[a]);
        check_sane(players[b]);
    }
    for (size_t i = 0; i < LENGTH(players); i++) {
        sum += players[i].rating;
        CHECK_THAT(players[i].deviation < 120, "deviation %f", players[i].deviation);
    }
    CHECK_THAT(fabs(sum / 10 - 1500) < 100, "the mean is %f", sum / 10);
    CHECK(players[9].rating > players[0].rating + 150);
}

int main(void)
{
    test_example();
    test_upset();
    test_idle();
    test_match();
    test_favourite();
    test_symmetry();
    test_extremes();
    test_range();
    test_thousand();
    return check_end("test_glicko");
}
