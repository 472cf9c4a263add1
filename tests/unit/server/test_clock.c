/* Clocks and deadlines, without a server. */
#include <stdlib.h>

#include "check.h"
#include "server/model/table.h"

static void test_parse(void)
{
    static const struct {
        const char *text;
        int64_t base_ms, increment_ms;
    } good[] = {{"300", 300000, 0},      {"300+5", 300000, 5000}, {"0.1+0.001", 100, 1},
                {"2.5+0", 2500, 0},      {"007+0.25", 7000, 250}, {"86400", 86400000, 0},
                {"1.02+3.4", 1020, 3400}};
    static const char *const bad[] = {"",          "+",
                                      "x",         "1+",
                                      "1 +2",      "1+2x",
                                      ".5",        "1.",
                                      "1.2345",    "1.+2",
                                      "0",         "0.099",
                                      "86400.001", "1+86401",
                                      "1e2",       "-1",
                                      "1+-2",      "1,5",
                                      "1++2",      "inf",
                                      "0x10",      "99999999999999999999"};
    struct cause cause;

    for (size_t i = 0; i < LENGTH(good); i++) {
        struct clock clock;
        check_about("clock=%s", good[i].text);
        CHECK(clock_parse(good[i].text, &clock, &cause));
        CHECK_INT(clock.base_ms, good[i].base_ms);
        CHECK_INT(clock.increment_ms, good[i].increment_ms);
        CHECK_INT(clock_left_ms(&clock, BLACK, 99), good[i].base_ms);
    }
    for (size_t i = 0; i < LENGTH(bad); i++) {
        struct clock clock = {.base_ms = 7};
        check_about("clock=%s", bad[i]);
        CHECK(!clock_parse(bad[i], &clock, &cause));
        CHECK_INT(clock.base_ms, 7);
    }
}

static struct match new_match(const char *clock_text)
{
    struct position start;
    struct match match;
    struct cause cause;

    if (!clobber.start("4x4", &start, &cause))
        abort();
    match_init(&match, &clobber, &start);
    if (clock_text != NULL && !clock_parse(clock_text, &match.clock, &cause))
        abort();
    match_start(&match, 1000);
    return match;
}

static enum status play(struct match *match, const char *text, int64_t now_ms)
{
    struct cause cause;

    return match_play_text(match, SEATS_BOTH, text, -1, now_ms, &cause);
}

static void test_without_clock(void)
{
    struct match match = new_match(NULL);

    check_about("a match without a clock");
    CHECK_INT(play(&match, "b1a1", 2000), STATUS_OK);
    CHECK(!match.clock.runs);
    CHECK_INT(clock_flag_ms(&match.clock), INT64_MAX);
    CHECK(!match_timeout(&match, INT64_MAX - 1));
    match_release(&match);
}

static void test_flag(void)
{
    struct match match = new_match("10+1");

    check_about("the flag");
    CHECK(!match_timeout(&match, 1000000));
    CHECK_INT(play(&match, "b1a1", 500000), STATUS_OK);
    CHECK_INT(clock_left_ms(&match.clock, WHITE, 500000), 11000);
    CHECK_INT(clock_flag_ms(&match.clock), 510000);
    CHECK_INT(play(&match, "c1d1", 509999), STATUS_OK);
    CHECK_INT(match.clock.left_ms[BLACK], 1001);
    CHECK_INT(clock_flag_ms(&match.clock), 509999 + 11000);
    CHECK(!match_timeout(&match, 520998));

    check_about("a move at the very time of the flag is too late, and changes nothing");
    CHECK_INT(play(&match, "a2b2", 520999), STATUS_MATCH_OVER);
    CHECK_INT(match.ply_count, 2);
    CHECK_INT(match.clock.left_ms[WHITE], 11000);
    CHECK_INT(clock_flag_ms(&match.clock), 520999);
    CHECK(match_timeout(&match, 530000));
    CHECK_INT(match.outcome.result, RESULT_BLACK);
    CHECK_INT(match.outcome.reason, REASON_TIMEOUT);
    CHECK_INT(clock_left_ms(&match.clock, WHITE, 600000), 0);
    CHECK(!match.clock.runs);
    CHECK(!match_timeout(&match, 540000));
    match_release(&match);
}

static void test_lag(void)
{
    struct match match = new_match("1");

    check_about("lag");
    CHECK_INT(play(&match, "b1a1", 2000), STATUS_OK);
    clock_forgive(&match.clock, 5000);
    CHECK_INT(match.clock.lag_ms, CLOCK_LAG_MAX_MS);
    CHECK_INT(clock_flag_ms(&match.clock), 3100);
    CHECK_INT(clock_left_ms(&match.clock, BLACK, 2100), 1000);
    CHECK_INT(clock_left_ms(&match.clock, BLACK, 2101), 999);
    clock_forgive(&match.clock, -1);
    CHECK_INT(match.clock.lag_ms, 0);
    clock_forgive(&match.clock, 30);
    CHECK_INT(play(&match, "c1d1", 2020), STATUS_OK);
    CHECK_INT(match.clock.left_ms[BLACK], 1000); /* a quick move earns nothing */
    CHECK_INT(match.clock.lag_ms, 0);
    match_release(&match);
}

/* Pauses that are forgiven one after the other, in a turn that begins at 1000, and how much of the
 * 10 s is left at 20000 then. */
static const struct {
    const char *title;
    struct pause pauses[3];
    int64_t left_ms;
} forgiven[] = {
    {"none", {{0, 0}}, -9000},
    {"one", {{2000, 5000}}, -6000},
    {"one that began before the turn", {{-4000, 5000}}, -5000},
    {"one before the turn", {{-4000, 900}}, -9000},
    {"two", {{2000, 5000}, {6000, 8000}}, -4000},
    {"the same one twice", {{2000, 5000}, {2000, 5000}}, -6000},
    {"two that touch, and the first again", {{2000, 5000}, {5000, 8000}, {2000, 5000}}, -3000},
    {"one that overlaps the last one", {{2000, 5000}, {4000, 8000}}, -3000},
    {"one around the last one", {{4000, 6000}, {2000, 8000}}, -3000},
    {"one that begins before the last one", {{4000, 8000}, {2000, 6000}}, -3000},
    {"one before the last one, again", {{2000, 5000}, {6000, 8000}, {2000, 5000}}, -4000}};

static void test_pauses(void)
{
    for (size_t i = 0; i < LENGTH(forgiven); i++) {
        struct match match = new_match("10");
        check_about("forgiven: %s", forgiven[i].title);
        CHECK_INT(play(&match, "b1a1", 1000), STATUS_OK);
        for (size_t j = 0; j < LENGTH(forgiven[i].pauses); j++)
            match_forgive(&match, forgiven[i].pauses[j]);
        CHECK_INT(10000 - (20000 - match.clock.since_ms), forgiven[i].left_ms);
        CHECK_INT(match.turn_ms, match.clock.since_ms);
        match_release(&match);
    }
}

static void test_copy(void)
{
    struct match match = new_match("10");

    check_about("a clock is copied with =");
    CHECK_INT(play(&match, "b1a1", 2000), STATUS_OK);
    struct clock copy = match.clock;
    CHECK_INT(play(&match, "c1d1", 4000), STATUS_OK);
    CHECK_INT(clock_left_ms(&copy, BLACK, 5000), 7000);
    CHECK_INT(clock_left_ms(&match.clock, BLACK, 5000), 8000);
    struct clock fresh = clock_fresh(&match.clock);
    CHECK(!fresh.runs);
    CHECK_INT(fresh.left_ms[BLACK], 10000);
    match_release(&match);
}

/* Every deadline knows its place in the heap, and none is earlier than its parent. */
static bool is_heap(const struct deadlines *deadlines)
{
    for (int i = 0; i < deadlines->count; i++)
        if (deadlines->heap[i]->place != i + 1 ||
            (i > 0 && deadlines->heap[i]->at_ms < deadlines->heap[(i - 1) / 2]->at_ms))
            return false;
    return true;
}

static void test_deadlines(void)
{
    enum { COUNT = 300 };
    static struct deadline all[COUNT];
    struct deadlines deadlines = {0};
    uint32_t random = 1;

    check_about("deadlines at random");
    CHECK(deadlines_first(&deadlines) == NULL);
    for (int i = 0; i < 20000; i++) {
        random = random * 1664525 + 1013904223;
        struct deadline *one = &all[(random >> 8) % COUNT];
        if (random >> 30 == 0)
            deadline_clear(&deadlines, one);
        else
            deadline_set(&deadlines, one, random >> 16 & 0xff);
        if (i % 50 == 0)
            CHECK(is_heap(&deadlines));
    }
    int64_t before_ms = 0;
    while (deadlines.count > 0) {
        struct deadline *first = deadlines_first(&deadlines);
        CHECK(first->at_ms >= before_ms);
        before_ms = first->at_ms;
        deadline_clear(&deadlines, first);
    }
    for (int i = 0; i < COUNT; i++)
        CHECK_INT(all[i].place, 0);
    deadlines_release(&deadlines);
}

/* Taking a move back also takes back its increment, but leaves no player without time.
 */
static void test_take_back(void)
{
    struct clock clock = {.base_ms = 10000, .increment_ms = 5000, .left_ms = {10000, 10000}};

    check_about("taking an increment back");
    clock.left_ms[WHITE] += clock.increment_ms;
    clock_unreward(&clock, WHITE);
    CHECK_INT(clock.left_ms[WHITE], 10000);
    CHECK_INT(clock.left_ms[BLACK], 10000);
    clock.left_ms[WHITE] = 5400;
    clock_unreward(&clock, WHITE);
    CHECK_INT(clock.left_ms[WHITE], CLOCK_LEAST_MS);
    clock.left_ms[WHITE] = 300;
    clock_unreward(&clock, WHITE);
    CHECK_INT(clock.left_ms[WHITE], 300);
}

int main(void)
{
    test_take_back();
    test_parse();
    test_without_clock();
    test_flag();
    test_pauses();
    test_lag();
    test_copy();
    test_deadlines();
    return check_end("test_clock");
}
