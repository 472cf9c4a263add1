/* Players who come, go and move between servers that share a lobby, and servers that go. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "server/play/cluster.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "sites.h"
#include "test_limits.h"

static void test_names(void)
{
    sites_begin();
    enter(&anna, 1, "anna");
    check_about("a name holds everywhere");
    visit(&bob, 2);
    ask(&bob, "hello Anna");
    GETS(bob, "\"code\":\"name-taken\"");
    ask(&bob, "hello anna token=x");
    GETS(bob, "\"code\":\"bad-token\"");
    ask(&bob, "hello nobody token=x");
    CHECK_INT(count(&bob.peer, "\"code\":\"bad-token\""), 2);
    check_about("coming back elsewhere replaces");
    enter(&carl, 3, "carl");
    ask(&carl, "new clobber:2x2 black=anna");
    ask(&anna, "join 3001");
    skip_all();
    struct client before = anna;
    come_back(&dora, 2, "nobody"); /* no effect on others */
    skip_all();
    char line[64];
    snprintf(line, sizeof line, "hello anna token=%s", tokens[0]);
    ask(&bob, line);
    GETS(bob, "\"cmd\":\"hello\",\"name\":\"anna\"");
    GETS(bob, "\"match\":\"3001\"");
    GETS(anna, "{\"type\":\"bye\",\"reason\":\"replaced\"}\n");
    CHECK(anna.peer.closed > before.peer.closed);
    GETS_NOT(carl, "\"online\":false");
    ask(&carl, "move a2a1");
    GETS(bob, "\"ply\":1,\"turn\":\"black\"");
    check_about("a server that dies later takes only those with it who are there");
    skip_all();
    anna.peer.session = NULL;
    site_kill(1);
    GETS_NOT(carl, "presence");
    sites_end();
}

/* A match that is opened with a player whom this server believes to be elsewhere. */
static void test_gone_unnoticed(void)
{
    start_match("new clobber:2x2");
    check_about("a rematch with a player who has gone since");
    ask(&anna, "resign");
    ask(&bob, "rematch");
    hang_up(&bob);
    skip_all();
    ask(&anna, "rematch");
    GETS(anna, "{\"type\":\"presence\",\"match\":\"1002\",\"name\":\"bob\",\"color\":\"white\","
               "\"online\":false,\"claim_ms\":120000}");
    sites_pass_time(120000);
    skip_all();
    ask(&anna, "claim 1002");
    GETS(anna, "\"reason\":\"forfeit\"");
    sites_end();
}

/* A client that leaves before it is told that it has come back is not there. */
static void test_claim_and_gone(void)
{
    char line[256];

    start_match("new clobber:2x2");
    check_about("gone while the keeper looks up");
    visit(&carl, 3);
    snprintf(line, sizeof line, "hello bob token=%s", tokens[1]);
    send_line(&carl, line);
    presence_free(carl.peer.session);
    carl.peer.session = NULL;
    sites_settle();
    GETS(bob, "\"reason\":\"replaced\"");
    CHECK_INT(players_find(&engine.players, "bob")->node, 0);
    come_back(&bob, 2, "bob");
    GETS(bob, "\"match\":\"1001\"");
    CHECK_INT(players_find(&engine.players, "bob")->node, 2);
    sites_end();
}

static void test_presence(void)
{
    start_match("new clobber:2x2");
    check_about("a player leaves and comes back at another server");
    hang_up(&bob);
    GETS(anna, "{\"type\":\"presence\",\"match\":\"1001\",\"name\":\"bob\",\"color\":\"black\","
               "\"online\":false,\"claim_ms\":120000}");
    skip_all();
    ask(&anna, "claim");
    GETS(anna, "\"code\":\"not-allowed\"");
    sites_pass_time(60000);
    come_back(&bob, 3, "bob");
    GETS(bob, "\"match\":\"1001\"");
    GETS(anna, "\"name\":\"bob\",\"color\":\"black\",\"online\":true,\"claim_ms\":null");
    skip_all();
    ask(&anna, "move a2a1");
    GETS(bob, "\"ply\":1");
    check_about("whose server dies is gone, too");
    skip_all();
    bob.peer.session = NULL;
    site_kill(3);
    GETS(anna, "{\"type\":\"nodes\",\"node\":1,\"nodes\":[\"192.0.2.1:7117\",\"192.0.2.2:7117\"]}");
    GETS(anna, "\"name\":\"bob\",\"color\":\"black\",\"online\":false,\"claim_ms\":120000");
    sites_pass_time(60000);
    come_back(&bob, 2, "bob");
    GETS(anna, "\"online\":true,\"claim_ms\":null");
    GETS(bob, "\"ply\":1,\"turn\":\"black\"");
    skip_all();
    ask(&bob, "move b2b1 ply=1");
    GETS(anna, "\"ply\":2");
    check_about("a claim");
    hang_up(&bob);
    sites_pass_time(120000);
    skip_all();
    ask(&anna, "claim");
    GETS(anna, "\"reason\":\"forfeit\"");
    come_back(&bob, 1, "bob");
    ask(&bob, "record 1001");
    GETS(bob, "\"reason\":\"forfeit\"");
    sites_end();
}

static void test_guests(void)
{
    sites_begin();
    enter(&anna, 1, "anna");
    visit(&bob, 2);
    check_about("a guest from another server");
    ask(&anna, "new clobber:2x2");
    ask(&bob, "join 1001");
    ask(&anna, "move a2a1");
    check_about("a guest takes a name");
    skip_all();
    ask(&bob, "hello bob");
    GETS(anna, "\"type\":\"presence\",\"match\":\"1001\",\"name\":\"bob\"");
    ask(&bob, "move b2b1");
    GETS(anna, "\"black\":{\"name\":\"bob\"");
    check_about("a rematch with a guest");
    visit(&carl, 3);
    ask(&anna, "new clobber:5x6");
    ask(&carl, "join 1002");
    ask(&anna, "resign 1002");
    ask(&carl, "rematch 1002");
    skip_all();
    ask(&anna, "rematch 1002");
    GETS(carl, "{\"type\":\"rematch\",\"match\":\"1002\",\"new\":\"1003\"}");
    hang_up(&carl);
    check_about("the match of a guest ends with the guest");
    visit(&carl, 3);
    ask(&anna, "new clobber:2x2");
    ask(&carl, "join 1004");
    ask(&anna, "move 1004 a2a1");
    ask(&carl, "move 1004 b2b1");
    skip_all();
    hang_up(&carl);
    GETS(anna, "\"reason\":\"forfeit\"");
    check_about("and with their server");
    visit(&carl, 3);
    ask(&anna, "new clobber:2x2");
    ask(&carl, "join 1005");
    skip_all();
    carl.peer.session = NULL;
    site_kill(3);
    server_tick(&sites[1]);
    sites_settle();
    GETS(anna, "\"match\":\"1005\",\"game\":\"clobber\",\"variant\":\"2x2\",\"status\":\"over\"");
    sites_end();
}

/* The house bot of a site says hello with its secret. */
static void enter_house(struct client *client, int site)
{
    char line[256];

    snprintf(sites[site].house.bots[0].secret, SECRET_TEXT_MAX, "%032d", site);
    snprintf(line, sizeof line, "hello bot:greedy token=%032d bot=yes", site);
    visit(client, site);
    ask(client, line);
    GETS(*client, "\"name\":\"bot:greedy\"");
    skip(&client->peer);
}

static void test_house_bots(void)
{
    sites_begin();
    enter_house(&carl, 1);
    enter_house(&dora, 2);
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    check_about("the house bot of a player's server plays");
    ask(&anna, "new clobber:2x2 black=bot:greedy");
    GETS(carl, "\"you\":\"black\"");
    ask(&bob, "watch 1001");
    skip_all();
    ask(&anna, "move a2a1");
    GETS(carl, "\"legal\":[\"b2b1\"]");
    GETS(bob, "\"ply\":1");
    CHECK_TEXT(dora.peer.output, "");
    check_about("when the player goes elsewhere, the bot there goes on");
    anna.peer.session = NULL;
    carl.peer.session = NULL;
    site_kill(1);
    skip_all();
    come_back(&anna, 2, "anna");
    CHECK_THAT(count(&dora.peer, "\"legal\":[\"b2b1\"]") > 0, "%s", dora.peer.output);
    skip_all();
    ask(&dora, "move 1001 b2b1 ply=1");
    GETS(anna, "\"ply\":2");
    sites_end();
}

static const struct nodes two_nodes = {
    .own = 2, .count = 2, .list = {{1, "192.0.2.1:7117"}, {2, "[2001:db8::2]:7117"}}};

static void test_nodes(void)
{
    static struct fixture fixture;
    struct server *server = &fixture.server;
    struct nodes one = {.own = 2, .count = 1, .list = {{2, "[2001:db8::2]:7117"}}};

    check_about("a server that shares its lobby with nobody does not speak of others");
    fixture_begin(&fixture, &test_limits, true);
    open_peer(server, &carl.peer);
    CHECK(count(&carl.peer, "node") == 0);
    say(&carl.peer, "stats");
    CHECK(count(&carl.peer, "node") == 0 && count(&carl.peer, "engine_ms") == 0);

    check_about("the greeting and an event tell of the others");
    server->nodes = two_nodes;
    open_peer(server, &anna.peer);
    open_peer(server, &bob.peer);
    CHECK(count(&bob.peer, "\"node\":2,\"nodes\":[\"192.0.2.1:7117\",\"[2001:db8::2]:7117\"]}\n") ==
          1);
    say(&bob.peer, "set format=text");
    skip(&anna.peer);
    skip(&bob.peer);
    cluster_set_nodes(server, &two_nodes);
    CHECK(anna.peer.length == 0);
    cluster_set_nodes(server, &one);
    CHECK_TEXT(anna.peer.output,
               "{\"type\":\"nodes\",\"node\":2,\"nodes\":[\"[2001:db8::2]:7117\"]}\n");
    CHECK_TEXT(bob.peer.output, "servers of this lobby: [2001:db8::2]:7117\n");
    skip(&anna.peer);
    say(&anna.peer, "stats");
    CHECK(count(&anna.peer, "\"node\":2,\"nodes\":1,\"engine_ms\":") == 1);

    check_about("a server that counts as dead lets everyone go");
    skip(&anna.peer);
    cluster_lost(server);
    CHECK(count(&anna.peer, "{\"type\":\"bye\",\"reason\":\"node-lost\"}\n") == 1);
    CHECK(anna.peer.closed == 1 && bob.peer.closed == 1);
    fixture_end(&fixture);
}

int main(void)
{
    test_nodes();
    test_names();
    test_presence();
    test_claim_and_gone();
    test_gone_unnoticed();
    test_guests();
    test_house_bots();
    return check_end("test_cluster_people");
}
