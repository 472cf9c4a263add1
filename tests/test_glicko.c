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

    return glicko_update(player, &result, 1);
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
    test_symmetry();
    test_extremes();
    test_range();
    test_thousand();
    return check_end("test_glicko");
}
