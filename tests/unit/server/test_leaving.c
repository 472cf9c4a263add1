/* Players and guests who leave while units are being kept, or cannot be kept. */
#include <stdio.h>

#include "check.h"
#include "full_disk.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "two_players.h"

enum { DAY_S = 86400 };

/* Bob has left, and Anna stays in the match for days. */
static void let_days_pass(void)
{
    presence_free(bob.session);
    settle();
    pass_ms(3 * DAY_S * 1000LL);
    anna.session->heard_ms = server->now_ms;
}

static void check_not_abandoned(const char *id)
{
    pass_ms(5000);
    server_run_deadlines(server);
    settle();
    CHECK_INT(match_of(id)->status, MATCH_PLAYING);
}

static void test_last_seen_on_a_full_disk(void)
{
    check_about("a player leaves while the disk is full: the wait for them starts now");
    begin_with_two(false);
    start_match("new clobber:3x3");
    let_days_pass();
    full_disk_set(true);
    presence_free(anna.session);
    settle();
    full_disk_set(false);
    CHECK_INT(players_find(&server->players, "anna")->seen_s, server->wall_s);
    check_not_abandoned("1");
    fixture_end(&fixture);
}

static void test_last_seen_while_rated(void)
{
    static struct server restarted;
    char line[96];

    check_about("a player leaves in the turn that rates them: both are kept");
    begin_with_two(false);
    start_match("new clobber:3x3");
    start_match("new clobber:5x6");
    play("2", 8);
    snprintf(line, sizeof line, "hello bob token=%s", bob.session->token);
    let_days_pass();
    open_peer(server, &bob);
    ask(&bob, line);
    CHECK(say(&bob, "resign 2"));
    presence_free(anna.session);
    settle();
    CHECK(lobby_find(&server->lobby, "2")->rating_after[WHITE]);
    fixture_restart(&fixture, &restarted);
    CHECK_INT(players_find(&restarted.players, "anna")->seen_s, server->wall_s);
    server_release(&restarted);
    presence_free(bob.session);
    settle();
    check_not_abandoned("1");
    fixture_end(&fixture);
}

static void test_last_seen_late(void)
{
    check_about("a player leaves, and the keeper answers late: the wait for them starts now");
    begin_with_two(true);
    start_match("new clobber:3x3");
    let_days_pass();
    presence_free(anna.session);
    server_end_turn(server);
    server_run_deadlines(server);
    check_not_abandoned("1");
    fixture_end(&fixture);
}

static void test_leaving_while_rated(void)
{
    const struct player *player;

    check_about("a player leaves while the keeper has their rating: the rating counts");
    begin_with_two(true);
    start_match("new clobber:5x6");
    play("1", 8);
    CHECK(say(&anna, "resign 1"));
    server_end_turn(server);
    player = bob.session->player;
    CHECK(player->lock.owner != NULL);
    presence_free(bob.session);
    CHECK(lobby_find(&server->lobby, "1")->match.status == MATCH_PLAYING);
    settle();
    CHECK(lobby_find(&server->lobby, "1")->rating_after[BLACK]);
    CHECK(player->lock.owner == NULL && !player_is_connected(player));
    fixture_end(&fixture);
}

static void test_opener_has_gone(void)
{
    char name[NAME_TEXT_MAX];

    check_about("a guest opens a match that is over at once, and leaves before it is kept");
    begin(true);
    house_bots_add_levels(&server->house, "easy");
    server_add_levels(server);
    settle();
    open_peer(server, &anna);
    snprintf(name, sizeof name, "%s", anna.session->player->name);
    CHECK(say(&anna, "new clobber:2x2 white=bot:easy black=bot:easy position=PP/PP w"));
    server_end_turn(server);
    presence_free(anna.session);
    settle();
    CHECK_INT(server->lobby.over, 1);
    CHECK(players_find(&server->players, name) == NULL);
    fixture_end(&fixture);
}

static void test_guest_leaves_a_stale_match(void)
{
    check_about("a guest leaves while their match is in a unit that proves stale: the match ends");
    begin(true);
    enter(&anna, "anna");
    open_peer(server, &bob);
    ask(&anna, "new clobber:3x3");
    ask(&bob, "join 1");
    fixture.fake.stale = 1;
    CHECK(say(&anna, "draw 1"));
    server_end_turn(server);
    presence_free(bob.session);
    CHECK(server->guests_wait);
    server_tick(server);
    server_end_turn(server);
    CHECK(keeper_fake_answer(&fixture.fake));
    presence_free(anna.session); /* before their line runs again */
    settle();
    tick();
    CHECK_INT(match_of("1")->status, MATCH_OVER);
    fixture_end(&fixture);
}

static void test_guest_with_many_seats(void)
{
    enum { MATCHES = 200 };
    char line[64];

    check_about("a guest with seats in many matches leaves: all end");
    begin(false);
    enter(&anna, "anna");
    open_peer(server, &bob);
    for (int i = 1; i <= MATCHES; i++) {
        ask(&anna, "new clobber:2x2");
        snprintf(line, sizeof line, "join %d", i);
        ask(&bob, line);
        skip(&anna);
        skip(&bob);
    }
    presence_free(bob.session);
    settle();
    CHECK_INT(server->lobby.playing, 0);
    CHECK_INT(count(&anna, "\"reason\":\"aborted\""), MATCHES);
    fixture_end(&fixture);
}

static void test_guests_leave_on_a_full_disk(void)
{
    enum { GUESTS = 60 };
    static struct peer guest;
    struct session *sessions[GUESTS];

    check_about(
        "the matches of guests who left while the disk was full end as soon as it has room");
    begin(false);
    for (int i = 0; i < GUESTS; i++) {
        open_peer(server, &guest);
        ask(&guest, "new clobber");
        sessions[i] = guest.session;
    }
    full_disk_set(true);
    for (int i = 0; i < GUESTS; i++)
        presence_free(sessions[i]);
    settle();
    full_disk_set(false);
    CHECK_INT(server->lobby.open, GUESTS);
    tick();
    CHECK_INT(server->lobby.open, 0);
    fixture_end(&fixture);
}

/* A match and a tournament may remember somebody whom the store has forgotten. */
static void test_ids_of_the_forgotten(void)
{
    static struct server restarted, again;

    check_about("the id of a player who is forgotten is given to nobody else");
    begin(false);
    enter(&anna, "anna");
    enter(&carl, "carl");
    enter(&bob, "bob");
    ask(&anna, "tournament new Cup clobber:2x2 format=swiss");
    ask(&anna, "tournament kick t1 bob");
    ask(&anna, "new clobber:2x2");
    ask(&bob, "join 1");
    ask(&anna, "kick 1");
    int64_t id = bob.session->player->id;
    presence_free(bob.session);
    settle();
    pass_ms(5000);
    presence_free(carl.session);
    settle();
    server->limits.names = 1;
    fixture_restart(&fixture, &restarted);
    CHECK(players_find(&restarted.players, "bob") == NULL);
    CHECK_THAT(restarted.players.last_id >= id, "the next one gets %lld of at least %lld",
               (long long)restarted.players.last_id + 1, (long long)id);
    fixture_restart(&fixture, &again);
    CHECK(again.players.last_id >= id);
    server_release(&restarted);
    server_release(&again);
    fixture_end(&fixture);
}

int main(void)
{
    test_last_seen_on_a_full_disk();
    test_last_seen_while_rated();
    test_last_seen_late();
    test_leaving_while_rated();
    test_opener_has_gone();
    test_guest_leaves_a_stale_match();
    test_guest_with_many_seats();
    test_guests_leave_on_a_full_disk();
    test_ids_of_the_forgotten();
    return check_end("test_leaving");
}
