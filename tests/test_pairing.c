/* Pairing: matches that the server opens by itself, and what becomes of them when the keeper
 * answers late or fails. Each test starts a new server. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "fixture.h"
#include "full_disk.h"
#include "server/play/lifecycle.h"
#include "server/play/pairing/pair.h"
#include "server/play/presence.h"
#include "test_limits.h"

static struct fixture fixture;
static struct server *const server = &fixture.server;
static struct peer anna, bob;

/* What a unit has told: how often, and the last time with what. */
static struct {
    int count;
    enum kept kept;
    bool untold; /* nobody had been told then */
} ended;

static void on_ended(void *context, const struct unit *unit)
{
    (void)context;
    ended.count++;
    ended.kept = unit->kept;
    ended.untold = count(&anna, "state") == 0;
}

static void enter(struct peer *peer, const char *name)
{
    char line[64];

    open_peer(server, peer);
    snprintf(line, sizeof line, "hello %s", name);
    CHECK(say(peer, line));
    fixture_settle(&fixture);
    skip(peer);
}

static void begin(bool shared)
{
    struct limits limits = test_limits;

    limits.matches = 3;
    fixture_begin(&fixture, &limits, shared);
    enter(&anna, "anna");
    enter(&bob, "bob");
    memset(&ended, 0, sizeof ended);
}

static void pair(struct player *white, struct player *black)
{
    struct position start;
    struct cause cause;
    const struct game *game = game_open("clobber:2x2", &start, NULL, &cause);

    pair_start(server,
               &(struct pairing){.players = {white, black},
                                 .game = game,
                                 .start = &start,
                                 .casual = true,
                                 .opener = black,
                                 .paired = {.tournament = "t7", .round = 2}},
               on_ended, NULL);
    fixture_settle(&fixture);
}

static void check_paired(const struct peer *peer, const char *color, const char *opponent)
{
    char event[256];

    snprintf(event, sizeof event,
             "{\"type\":\"paired\",\"match\":\"1\",\"game\":\"clobber\",\"variant\":\"2x2\","
             "\"color\":\"%s\",\"opponent\":\"%s\",\"clock\":null,\"rated\":false,"
             "\"tournament\":\"t7\",\"round\":2}\n{\"type\":\"state\",",
             color, opponent);
    CHECK_THAT(strncmp(peer->output, event, strlen(event)) == 0, "%s", peer->output);
    CHECK_INT(count(peer, "\"type\":\"state\""), 1);
}

static void test_pair(bool shared)
{
    check_about("a pair is told, then sees the match, %s keeper", shared ? "late" : "quick");
    begin(shared);
    pair(anna.session->player, bob.session->player);
    check_paired(&anna, "white", "bob");
    check_paired(&bob, "black", "anna");
    CHECK(ended.count == 1 && ended.kept == KEPT && ended.untold);
    CHECK_INT(server->lobby.playing, 1);
    CHECK_INT(bob.session->player->unfinished, 1);
    fixture_end(&fixture);
}

static void test_away(void)
{
    static struct server restarted;

    check_about("a player who is away is paired all the same, and finds the match");
    begin(false);
    struct player *away = anna.session->player;
    presence_free(anna.session);
    pair(away, bob.session->player);
    check_paired(&bob, "black", "anna");
    CHECK_INT(count(&bob, "\"claim_ms\":"), 1);
    fixture_restart(&fixture, &restarted);
    CHECK(restarted.lobby.playing == 1 && lobby_find(&restarted.lobby, "1")->casual);
    server_release(&restarted);
    fixture_end(&fixture);
}

static void test_not_kept(void)
{
    check_about("a match that cannot be kept never was");
    begin(false);
    full_disk_set(true);
    pair(anna.session->player, bob.session->player);
    full_disk_set(false);
    CHECK(ended.count == 1 && ended.kept == KEPT_FAILED);
    CHECK(anna.length == 0 && bob.length == 0 && server->lobby.playing == 0);
    fixture_end(&fixture);
    begin(true);
    fixture.fake.stale = 1;
    pair(anna.session->player, bob.session->player);
    CHECK(ended.count == 1 && ended.kept == KEPT_STALE);
    CHECK(anna.length == 0 && bob.length == 0 && server->lobby.playing == 0);
    CHECK_INT(bob.session->player->unfinished, 0);
    fixture_end(&fixture);
}

static void test_may_open(void)
{
    check_about("limits hold for matches that the server opens");
    begin(false);
    for (int i = 0; i < 3; i++) {
        CHECK(pair_may_open(server, bob.session->player, NULL));
        pair(anna.session->player, bob.session->player);
    }
    CHECK(!pair_may_open(server, bob.session->player, NULL));
    CHECK(pair_may_open(server, anna.session->player, NULL));
    server->limits.unfinished = 3;
    CHECK(!pair_may_open(server, anna.session->player, NULL));
    fixture_end(&fixture);
}

int main(void)
{
    test_pair(false);
    test_pair(true);
    test_away();
    test_not_kept();
    test_may_open();
    return check_end("test_pairing");
}
