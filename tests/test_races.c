/* Races: lines of one turn that build on each other, peers that come, go and change their names
 * while a unit is being kept, keepers that fail or answer late. Each test starts a new server. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "common/move.h"
#include "fixture.h"
#include "full_disk.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "test_limits.h"

enum { DAY_S = 86400 };

static struct fixture fixture;
static struct server *const server = &fixture.server;
static struct peer anna, bob, carl;

static void begin(bool shared)
{
    struct limits limits = test_limits;

    limits.matches = 1000;
    limits.errors = 10;
    limits.abandon_days = 1;
    fixture_begin(&fixture, &limits, shared);
}

static void settle(void)
{
    fixture_settle(&fixture);
}

/* Sends a line that must not sleep, and settles what it changes. */
static void ask(struct peer *peer, const char *line)
{
    CHECK_THAT(say(peer, line), "'%s' sleeps", line);
    settle();
}

static void enter(struct peer *peer, const char *name)
{
    char line[64];

    open_peer(server, peer);
    snprintf(line, sizeof line, "hello %s", name);
    ask(peer, line);
    skip(peer);
}

static void begin_with_two(bool shared)
{
    begin(shared);
    enter(&anna, "anna");
    enter(&bob, "bob");
}

static const struct match *match_of(const char *id)
{
    return &lobby_find(&server->lobby, id)->match;
}

/* Anna opens a match as white, and Bob joins it. */
static void start_match(const char *opening)
{
    char line[64];

    ask(&anna, opening);
    snprintf(line, sizeof line, "join %lld", (long long)server->lobby.opened);
    ask(&bob, line);
    skip(&anna);
    skip(&bob);
}

/* Plays the first legal moves of a match between Anna and Bob. */
static void play(const char *id, int plies)
{
    const struct match *match = match_of(id);
    struct move moves[MOVES_MAX];
    char text[MOVE_TEXT_MAX], line[64];

    for (int i = 0; i < plies; i++) {
        match->game->legal(&match->position, moves);
        move_format(&match->position, moves[0], text);
        snprintf(line, sizeof line, "move %s %s", id, text);
        ask(match->position.side == WHITE ? &anna : &bob, line);
    }
    skip(&anna);
    skip(&bob);
}

/* Starts matches 1 to `matches` with a clock, each after some plies. */
static void start_timed(int matches, int plies)
{
    char id[TABLE_ID_MAX];

    for (int i = 1; i <= matches; i++) {
        start_match("new clobber:5x6 clock=10+0");
        snprintf(id, sizeof id, "%d", i);
        play(id, plies);
    }
}

static void pass_ms(int64_t ms)
{
    server->now_ms += ms;
    server->wall_s += ms / 1000;
}

static void tick(void)
{
    pass_ms(1000);
    server_tick(server);
    server_run_deadlines(server);
    settle();
}

static void check_kept_name(struct server *restarted, const char *name)
{
    const struct player *before = players_find(&server->players, name);
    const struct player *after = players_find(&restarted->players, name);

    CHECK(before != NULL && after != NULL && after->kind == PLAYER_NAMED &&
          memcmp(after->token_hash, before->token_hash, TOKEN_HASH_BYTES) == 0);
}

static void test_new_name_opens(void)
{
    static struct server restarted;

    check_about("a line behind its sender's new name sleeps until the name is kept");
    begin(false);
    open_peer(server, &anna);
    CHECK(say(&anna, "hello anna"));
    CHECK(!say(&anna, "new clobber white=anna black=open"));
    settle();
    CHECK(anna.woken);
    ask(&anna, "new clobber white=anna black=open");
    CHECK_INT(count(&anna, "\"name\":\"anna\",\"token\""), 1);
    CHECK_INT(count(&anna, "\"cmd\":\"new\",\"match\":\"1\""), 1);
    CHECK_INT(count(&anna, "unknown-player"), 0);

    check_about("a restarted server knows the name, the token and the match");
    fixture_restart(&fixture, &restarted);
    check_kept_name(&restarted, "anna");
    const struct table *table = lobby_find(&restarted.lobby, "1");
    CHECK(table != NULL && strcmp(table->seats[WHITE].player->name, "anna") == 0);
    server_release(&restarted);
    fixture_end(&fixture);
}

static void test_new_name_is_challenged(void)
{
    static struct server restarted;
    char line[64];

    check_about("a guest takes a name, and is challenged in the same turn: both are kept");
    begin(false);
    enter(&anna, "anna");
    open_peer(server, &bob);
    snprintf(line, sizeof line, "new clobber black=%s", bob.session->player->name);
    CHECK(say(&bob, "hello bob"));
    ask(&anna, line);
    CHECK_INT(count(&bob, "\"name\":\"bob\",\"token\""), 1);
    CHECK_INT(count(&anna, "\"cmd\":\"new\",\"match\":\"1\""), 1);
    fixture_restart(&fixture, &restarted);
    check_kept_name(&restarted, "bob");
    const struct table *table = lobby_find(&restarted.lobby, "1");
    CHECK(table != NULL && table->seats[BLACK].player == players_find(&restarted.players, "bob"));
    server_release(&restarted);
    fixture_end(&fixture);
}

static void test_which_match(void)
{
    check_about("a line that names no match may mean the one its sender is about to join");
    begin_with_two(false);
    ask(&anna, "new clobber:3x3");
    CHECK(say(&bob, "join 1"));
    CHECK(!say(&bob, "resign"));
    settle();
    CHECK(bob.woken);
    ask(&bob, "resign");
    CHECK_INT(match_of("1")->outcome.reason, REASON_RESIGN);

    check_about("a rematch means the match that its sender has just resigned");
    start_match("new clobber:3x3");
    CHECK(say(&bob, "resign"));
    CHECK(!say(&bob, "rematch"));
    settle();
    ask(&bob, "rematch");
    CHECK_INT(count(&bob, "\"cmd\":\"rematch\",\"match\":\"2\""), 1);
    fixture_end(&fixture);
}

static void test_stale_and_refused(void)
{
    check_about("a refusal follows the reply of a line that has to run again");
    begin(true);
    enter(&anna, "anna");
    fixture.fake.stale = 1;
    CHECK(say(&anna, "#1 new clobber"));
    CHECK(!dispatch_too_long(anna.session));
    settle();
    CHECK(anna.woken);
    CHECK(!dispatch_too_long(anna.session)); /* first, the other line runs again */
    settle();
    CHECK(dispatch_too_long(anna.session));
    const char *ok = strstr(anna.output, "\"id\":\"1\""),
               *error = strstr(anna.output, "line-too-long");
    CHECK(ok != NULL && error != NULL && ok < error);

    check_about("refusals do not pile up while a shared keeper is silent");
    CHECK(say(&anna, "new clobber"));
    for (int i = 0; i < 100; i++)
        CHECK(!say(&anna, "frob"));
    CHECK_INT(anna.session->unsettled, 1);
    settle();

    check_about("a line that sleeps behind a stale one counts once");
    int64_t spent = anna.session->spent;
    fixture.fake.stale = 1;
    CHECK(say(&anna, "new clobber")); /* counts five */
    CHECK(!say(&anna, "ping"));
    settle();
    CHECK(!say(&anna, "ping"));
    settle();
    ask(&anna, "ping");
    CHECK_INT(anna.session->spent - spent, 5 + 1);
    fixture_end(&fixture);
}

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
    CHECK(lobby_find(&server->lobby, "2")->rated[WHITE]);
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
    CHECK(lobby_find(&server->lobby, "1")->rated[BLACK]);
    CHECK(player->lock.owner == NULL && player->session == NULL);
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

static void test_watches(void)
{
    check_about("matches opened for others in one turn: their opener watches no more than allowed");
    begin_with_two(false);
    enter(&carl, "carl");
    for (int i = 0; i < 3 * WATCHES_MAX; i++)
        CHECK(say(&anna, "new clobber:2x2 white=bob black=carl"));
    settle();
    CHECK_INT(server->lobby.open, 3 * WATCHES_MAX);
    CHECK_INT(watch_count(&anna.session->watches), WATCHES_MAX);
    skip(&anna);
    ask(&anna, "watch 300");
    CHECK_INT(count(&anna, "limit-reached"), 1);
    CHECK_INT(watch_count(&anna.session->watches), WATCHES_MAX);
    fixture_end(&fixture);
}

static void test_errors_in_a_row(void)
{
    check_about("a command between errors ends their row, even in one turn");
    begin(false);
    enter(&anna, "anna");
    for (int i = 0; i < server->limits.errors - 1; i++)
        CHECK(say(&anna, "frob"));
    CHECK(say(&anna, "new clobber"));
    CHECK(say(&anna, "frob"));
    settle();
    CHECK_INT(anna.closed, 0);
    fixture_end(&fixture);
}

static void test_back_as_a_bot(void)
{
    static struct server restarted;
    char line[96];

    check_about("a player leaves and is back as a bot in one turn");
    begin(false);
    enter(&anna, "anna");
    snprintf(line, sizeof line, "hello anna token=%s bot=yes", anna.session->token);
    presence_free(anna.session);
    open_peer(server, &bob);
    CHECK(!say(&bob, line));
    settle();
    CHECK(bob.woken);
    ask(&bob, line);
    CHECK(players_find(&server->players, "anna")->bot);
    fixture_restart(&fixture, &restarted);
    CHECK(players_find(&restarted.players, "anna")->bot);
    server_release(&restarted);
    fixture_end(&fixture);
}

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

/* The end of a server whose keeper never answers; a leak would be found by the sanitizers. */
static void test_end_before_the_answer(void)
{
    check_about("a server ends before its keeper answers: nobody is told of what may not be kept");
    begin_with_two(true);
    start_match("new clobber:5x6");
    CHECK(say(&anna, "resign 1"));
    server_end_turn(server);
    CHECK(say(&bob, "new shakti"));
    server_shutdown(server);
    CHECK_INT(count(&anna, "\"status\":\"over\"") + count(&bob, "\"match\":\"2\""), 0);
    presence_free(anna.session);
    presence_free(bob.session);
    CHECK(fixture.fake.batch != NULL);
    CHECK_INT(match_of("1")->status, MATCH_PLAYING);
    server_release(server);
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

static void test_line_becomes_too_long(void)
{
    check_about("the first of two sleeping lines becomes too long: the second wakes");
    begin_with_two(false);
    enter(&carl, "carl");
    ask(&anna, "new clobber:3x3");
    CHECK(say(&anna, "abort 1"));
    CHECK(!say(&bob, "join 1"));
    CHECK(!say(&carl, "join 1"));
    skip(&carl);
    settle();
    CHECK(bob.woken && !carl.woken);
    CHECK(dispatch_too_long(bob.session)); /* as after a reload with a lower limit */
    CHECK(carl.woken);
    fixture_end(&fixture);
}

int main(void)
{
    test_new_name_opens();
    test_new_name_is_challenged();
    test_which_match();
    test_stale_and_refused();
    test_last_seen_on_a_full_disk();
    test_last_seen_while_rated();
    test_last_seen_late();
    test_leaving_while_rated();
    test_opener_has_gone();
    test_guest_leaves_a_stale_match();
    test_watches();
    test_errors_in_a_row();
    test_back_as_a_bot();
    test_flags_together();
    test_flags_on_a_full_disk();
    test_flag_during_an_offer();
    test_end_before_the_answer();
    test_draw_after_the_flag();
    test_draw_after_a_flag_on_a_full_disk();
    test_guest_with_many_seats();
    test_guests_leave_on_a_full_disk();
    test_line_becomes_too_long();
    return check_end("test_races");
}
