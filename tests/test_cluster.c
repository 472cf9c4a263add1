/* Servers that share a lobby: what their clients see of it. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "fixture.h"
#include "server/play/cluster.h"
#include "server/play/lifecycle.h"
#include "test_limits.h"

static struct peer anna, bob, carl;

static const struct nodes two_nodes = {
    .own = 2, .count = 2, .list = {{1, "192.0.2.1:7117"}, {2, "[2001:db8::2]:7117"}}};

static void test_nodes(void)
{
    static struct fixture fixture;
    struct server *server = &fixture.server;
    struct nodes one = {.own = 2, .count = 1, .list = {{2, "[2001:db8::2]:7117"}}};

    check_about("a server that shares its lobby with nobody does not speak of others");
    fixture_begin(&fixture, &test_limits, true);
    open_peer(server, &carl);
    CHECK(count(&carl, "node") == 0);
    say(&carl, "stats");
    CHECK(count(&carl, "node") == 0 && count(&carl, "engine_ms") == 0);

    check_about("the greeting and an event tell of the others");
    server->nodes = two_nodes;
    open_peer(server, &anna);
    open_peer(server, &bob);
    CHECK(count(&bob, "\"node\":2,\"nodes\":[\"192.0.2.1:7117\",\"[2001:db8::2]:7117\"]}\n") == 1);
    say(&bob, "set format=text");
    skip(&anna);
    skip(&bob);
    cluster_set_nodes(server, &two_nodes);
    CHECK(anna.length == 0);
    cluster_set_nodes(server, &one);
    CHECK_TEXT(anna.output, "{\"type\":\"nodes\",\"node\":2,\"nodes\":[\"[2001:db8::2]:7117\"]}\n");
    CHECK_TEXT(bob.output, "servers of this lobby: [2001:db8::2]:7117\n");
    skip(&anna);
    say(&anna, "stats");
    CHECK(count(&anna, "\"node\":2,\"nodes\":1,\"engine_ms\":") == 1);

    check_about("a server that counts as dead lets everyone go");
    skip(&anna);
    cluster_lost(server);
    CHECK(count(&anna, "{\"type\":\"bye\",\"reason\":\"node-lost\"}\n") == 1);
    CHECK(anna.closed == 1 && bob.closed == 1);
    fixture_end(&fixture);
}

int main(void)
{
    test_nodes();
    return check_end("test_cluster");
}
