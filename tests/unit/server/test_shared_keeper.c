/* Units at a keeper that servers share: it may answer late, find them stale, or fail. */
#include "check.h"
#include "four_peers.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"

/* Whether of all peers only this one was woken since skip(). */
static bool only_woken(const struct peer peers[PEERS], const struct peer *peer)
{
    for (int i = 0; i < PEERS; i++)
        if (peers[i].woken != (&peers[i] == peer))
            return false;
    return true;
}

static void test_late(struct fixture *fixture, struct peer peers[PEERS])
{
    check_about("while the keeper has a batch, others go on, and the next one is collected");
    CHECK(say(&peers[0], "move b1c1"));
    server_end_turn(&fixture->server);
    CHECK(say(&peers[2], "move b1c1"));
    server_end_turn(&fixture->server);
    CHECK_INT(peers[0].length + peers[1].length + peers[2].length + peers[3].length, 0);
    CHECK_INT(lobby_find(&fixture->server.lobby, "1")->match.ply_count, 0);
    CHECK(say(&peers[3], "ping"));

    check_about("lines of a busy match wake in order of arrival");
    CHECK(!say(&peers[1], "draw 1"));
    CHECK(keeper_fake_answer(&fixture->fake));
    CHECK_INT(count(&peers[0], "\"type\":\"ok\""), 1);
    CHECK_INT(peers[2].length, 0);
    CHECK(only_woken(peers, &peers[1]));
    CHECK(!say(&peers[0], "undo 1")); /* it came later, so the first keeps its place */
    CHECK(say(&peers[1], "draw 1"));
    fixture_settle(fixture);
    CHECK_INT(count(&peers[0], "\"type\":\"offer\""), 1);
    CHECK_INT(count(&peers[2], "\"type\":\"ok\""), 1);
    CHECK(peers[0].woken);
    CHECK(say(&peers[0], "undo 1"));
    fixture_settle(fixture);
    CHECK_INT(count(&peers[1], "\"what\":\"undo\""), 1);
}

/* At another server black resigns before white's move is kept. */
static void black_resigns(struct table *fresh)
{
    if (fresh->match.status == MATCH_PLAYING)
        match_resign(&fresh->match, SEATS_BLACK, 0);
}

/* Another server has kept an offer. */
static void black_offers(struct table *fresh)
{
    fresh->match.offers[OFFER_DRAW][BLACK] = true;
    fresh->match.revision++;
}

static void test_stale(struct fixture *fixture, struct peer peers[PEERS])
{
    check_about("a stale unit runs again on fresh data");
    skip_all(peers);
    fixture->fake.stale = 1;
    fixture->fake.meanwhile = black_offers;
    int64_t spent = peers[1].session->spent;
    CHECK(say(&peers[1], "#3 move 1 b2c2"));
    CHECK(!say(&peers[0], "decline 1"));
    server_end_turn(&fixture->server);
    CHECK(keeper_fake_answer(&fixture->fake));
    CHECK_INT(count(&peers[1], "\"type\":\"ok\""), 0);
    CHECK_INT(count(&peers[0], "\"type\":\"state\""), 1);
    CHECK(only_woken(peers, &peers[1])); /* before the sleeping line */
    CHECK(dispatch_resume(peers[1].session));
    CHECK_INT(peers[1].session->spent - spent, 1);
    fixture_settle(fixture);
    CHECK_INT(count(&peers[1], "\"type\":\"ok\",\"id\":\"3\",\"cmd\":\"move\""), 1);
    CHECK(say(&peers[0], "decline 1"));
    fixture_settle(fixture);

    check_about("and is refused if that forbids it");
    skip_all(peers);
    fixture->fake.stale = 1;
    fixture->fake.meanwhile = black_resigns;
    CHECK(say(&peers[0], "#4 move 1 a2a1"));
    fixture_settle(fixture);
    CHECK(dispatch_resume(peers[0].session));
    CHECK_INT(count(&peers[0], "\"id\":\"4\",\"cmd\":\"move\",\"code\":\"match-over\""), 1);
    CHECK_INT(count(&peers[1], "\"reason\":\"resign\""), 1);
    fixture->fake.meanwhile = NULL;

    check_about("a new match and a new name run again, too");
    skip_all(peers);
    fixture->fake.stale = 1;
    CHECK(say(&peers[1], "new clobber:2x2"));
    fixture_settle(fixture);
    CHECK_INT(count(&peers[1], "\"type\":\"ok\""), 0);
    CHECK(dispatch_resume(peers[1].session));
    fixture_settle(fixture);
    CHECK_INT(count(&peers[1], "\"match\":\"3\""), 2);
}

static void test_failing_later(struct fixture *fixture, struct peer peers[PEERS])
{
    check_about("only the failed unit of a batch is dropped");
    skip_all(peers);
    fixture->fake.failed = 1;
    CHECK(say(&peers[3], "#5 move 2 b2c2"));
    CHECK(say(&peers[1], "#6 new clobber:2x2"));
    fixture_settle(fixture);
    CHECK_INT(count(&peers[3], "\"id\":\"5\",\"cmd\":\"move\",\"code\":\"internal\""), 1);
    CHECK_INT(count(&peers[1], "\"type\":\"ok\",\"id\":\"6\""), 1);
    CHECK_INT(lobby_find(&fixture->server.lobby, "2")->match.ply_count, 1);
}

static void test_gone_meanwhile(struct fixture *fixture, struct peer peers[PEERS])
{
    check_about("the sender leaves before the answer comes");
    skip_all(peers);
    CHECK(say(&peers[3], "move 2 b2c2"));
    server_end_turn(&fixture->server);
    presence_close(peers[3].session, "idle");
    CHECK_INT(count(&peers[3], "\"type\":\"ok\""), 0);
    fixture_settle(fixture);
    CHECK_INT(count(&peers[2], "\"ply\":2"), 1);
    CHECK_INT(lobby_find(&fixture->server.lobby, "2")->match.ply_count, 2);
}

int main(void)
{
    static struct fixture fixture;
    static struct peer peers[PEERS];

    fixture_begin(&fixture, &four_limits, true);
    open_matches(&fixture, peers);
    test_late(&fixture, peers);
    test_stale(&fixture, peers);
    test_failing_later(&fixture, peers);
    test_gone_meanwhile(&fixture, peers);
    fixture_end(&fixture);
    return check_end("test_shared_keeper");
}
