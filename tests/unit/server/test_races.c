/* Races: lines of one turn that build on each other, peers that come back and change their names
 * while a unit is being kept, keepers that answer late. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "two_players.h"

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

/* Carl takes part in one match at once, and every line below would give him another. */
static void test_matches_max(void)
{
    check_about("max=1: of two matches opened in one turn the second is refused");
    begin_with_two(false);
    enter(&carl, "carl");
    ask(&carl, "hello carl max=1");
    CHECK(say(&carl, "new clobber:2x2"));
    CHECK(say(&carl, "new clobber:2x2"));
    settle();
    CHECK_INT(count(&carl, "\"cmd\":\"new\",\"match\""), 1);
    CHECK_INT(count(&carl, "limit-reached"), 1);

    check_about("and of two that are joined");
    ask(&carl, "abort");
    ask(&anna, "new clobber:2x2");
    ask(&anna, "new clobber:2x2");
    skip(&carl);
    CHECK(say(&carl, "join 2"));
    CHECK(say(&carl, "join 3"));
    settle();
    CHECK_INT(count(&carl, "\"cmd\":\"join\",\"match\""), 1);
    CHECK_INT(count(&carl, "limit-reached"), 1);

    check_about("and of two challenges");
    ask(&carl, "abort 2");
    CHECK(say(&anna, "new clobber:2x2 black=carl"));
    CHECK(say(&bob, "new clobber:2x2 black=carl"));
    settle();
    CHECK_INT(count(&bob, "takes no more matches at once"), 1);
    ask(&carl, "decline 4");
    fixture_end(&fixture);

    for (int shared = 0; shared <= 1; shared++) {
        check_about("and of two seeks, %s",
                    shared ? "which are kept late" : "which are kept at once");
        begin_with_two(shared);
        enter(&carl, "carl");
        for (int size = 3; size <= 4; size++) {
            char line[64];
            snprintf(line, sizeof line, "seek clobber:%dx%d max=1", size, size);
            ask(&carl, line);
        }
        skip(&carl);
        CHECK(say(&anna, "seek clobber:3x3"));
        CHECK(say(&bob, "seek clobber:4x4"));
        settle();
        CHECK_INT(count(&carl, "\"paired\""), 1);
        CHECK_INT(server->lobby.playing, 1);
        fixture_end(&fixture);
    }

    check_about("both seats of one match are one match");
    begin_with_two(false);
    ask(&anna, "hello anna max=2");
    CHECK(say(&anna, "new clobber:2x2 white=me black=me"));
    CHECK(say(&anna, "new clobber:2x2"));
    CHECK(say(&anna, "new clobber:2x2"));
    settle();
    CHECK_INT(count(&anna, "\"cmd\":\"new\",\"match\""), 2);
    CHECK_INT(count(&anna, "limit-reached"), 1);
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
    test_watches();
    test_matches_max();
    test_errors_in_a_row();
    test_back_as_a_bot();
    test_end_before_the_answer();
    test_line_becomes_too_long();
    return check_end("test_races");
}
