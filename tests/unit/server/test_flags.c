/* Flags that fall together, while a unit is being kept, or when none can be kept. */
#include "check.h"
#include "full_disk.h"
#include "server/play/lifecycle.h"
#include "two_players.h"

static void test_flags_together(void)
{
    enum { MATCHES = 30 };

    check_about("the flags of many rated matches of one pair fall together: all end at once");
    begin_with_two(false);
    start_timed(MATCHES, 10);
    pass_ms(11000);
    server_run_deadlines(server);
    settle();
    CHECK_INT(server->lobby.playing, 0);
    CHECK_INT(count(&anna, "\"reason\":\"timeout\""), MATCHES);
    fixture_end(&fixture);
}

static void test_flags_on_a_full_disk(void)
{
    enum { MATCHES = 10 };

    check_about("flags that fall on a full disk are tried again a second later");
    begin_with_two(false);
    start_timed(MATCHES, 2);
    pass_ms(11000);
    full_disk_set(true);
    server_run_deadlines(server);
    settle();
    CHECK_INT(server->lobby.playing, MATCHES);
    CHECK_INT(server_next_deadline_ms(server) - server->now_ms, 1000);
    full_disk_set(false);
    tick();
    CHECK_INT(server->lobby.playing, 0);
    CHECK_INT(count(&anna, "\"reason\":\"timeout\""), MATCHES);
    fixture_end(&fixture);
}

static void test_flag_during_an_offer(void)
{
    check_about("a flag that falls while the keeper has an offer in its match ends it afterwards");
    begin_with_two(true);
    start_timed(1, 2);
    CHECK(say(&anna, "draw 1"));
    server_end_turn(server);
    pass_ms(11000);
    server_run_deadlines(server);
    CHECK_INT(match_of("1")->status, MATCH_PLAYING);
    settle();
    tick();
    CHECK_INT(match_of("1")->outcome.reason, REASON_TIMEOUT);
    CHECK_INT(count(&bob, "\"reason\":\"timeout\""), 1);
    fixture_end(&fixture);
}

static void test_draw_after_the_flag(void)
{
    check_about("no draw is agreed after a flag has fallen, though the timeout is not kept yet");
    begin_with_two(false);
    start_timed(2, 10);
    ask(&bob, "draw 1");
    ask(&bob, "draw 2");
    pass_ms(11000);
    server_run_deadlines(server);
    if (!say(&anna, "draw 2")) {
        settle();
        CHECK(say(&anna, "draw 2"));
    }
    settle();
    CHECK_INT(count(&anna, "match-over"), 1);
    CHECK_INT(match_of("1")->outcome.reason, REASON_TIMEOUT);
    CHECK_INT(match_of("2")->outcome.reason, REASON_TIMEOUT);
    fixture_end(&fixture);
}

static void test_draw_after_a_flag_on_a_full_disk(void)
{
    check_about("no draw is agreed before the timeout is tried again");
    begin_with_two(false);
    start_timed(1, 10);
    ask(&bob, "draw 1");
    pass_ms(11000);
    full_disk_set(true);
    server_run_deadlines(server);
    settle();
    full_disk_set(false);
    ask(&anna, "draw 1");
    CHECK_INT(count(&anna, "match-over"), 1);
    tick();
    CHECK_INT(match_of("1")->outcome.reason, REASON_TIMEOUT);
    fixture_end(&fixture);
}

int main(void)
{
    test_flags_together();
    test_flags_on_a_full_disk();
    test_flag_during_an_offer();
    test_draw_after_the_flag();
    test_draw_after_a_flag_on_a_full_disk();
    return check_end("test_flags");
}
