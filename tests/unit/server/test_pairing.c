/* Pairing: matches that the server opens by itself, and what becomes of them when the keeper
 * answers late or fails. Each test starts a new server. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "fixture.h"
#include "full_disk.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "server/play/seeks.h"
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

static void begin_server(bool shared)
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

    struct unit *unit = unit_new();
    unit->ended = on_ended;
    pair_open(server, unit,
              &(struct pair_plan){.players = {white, black},
                                  .game = game,
                                  .start = &start,
                                  .casual = true,
                                  .opener = black,
                                  .paired = {.tournament = "t7", .round = 2}});
    pair_settle(server, unit);
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
    begin_server(shared);
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
    begin_server(false);
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
    begin_server(false);
    full_disk_set(true);
    pair(anna.session->player, bob.session->player);
    full_disk_set(false);
    CHECK(ended.count == 1 && ended.kept == KEPT_FAILED);
    CHECK(anna.length == 0 && bob.length == 0 && server->lobby.playing == 0);
    fixture_end(&fixture);
    begin_server(true);
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
    begin_server(false);
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

enum { CROWD = 9 };

static struct peer crowd[CROWD];

/* Enters players with these ratings in clobber:2x2; 0 ends the list. */
static void enter_rated(const int ratings[CROWD])
{
    const struct game *game = game_find("clobber", strlen("clobber"));
    char name[16];

    for (int i = 0; i < CROWD && ratings[i] != 0; i++) {
        snprintf(name, sizeof name, "p%d", i);
        enter(&crowd[i], name);
        rating_find_or_add(&crowd[i].session->player->ratings, game, "2x2")->now.rating =
            ratings[i];
    }
}

static void check_opponent(const struct peer *peer, const char *opponent)
{
    char text[64];

    snprintf(text, sizeof text, "\"opponent\":\"%s\"", opponent);
    CHECK_THAT(count(peer, text) == 1, "%s is not against %s", peer->session->player->name,
               opponent);
}

/* Some of the crowd seek in one turn. */
static void seek(int from, int to, const char *line)
{
    for (int i = from; i < to; i++)
        CHECK(say(&crowd[i], line));
    fixture_settle(&fixture);
}

static void test_nearest(void)
{
    check_about("the nearest rating, below or above");
    begin_server(false);
    /* These want each other's colour, so that they wait. */
    enter_rated((const int[CROWD]){1400, 1500, 1600, 1700, 1560, 1640, 1440});
    seek(0, 4, "seek clobber:2x2 color=white");
    CHECK_INT(server->seeks.waiting, 4);
    seek(4, 5, "seek clobber:2x2");
    check_opponent(&crowd[4], "p2");
    seek(5, 6, "seek clobber:2x2");
    check_opponent(&crowd[5], "p3");
    seek(6, 7, "seek clobber:2x2");
    check_opponent(&crowd[6], "p0");
    CHECK_INT(server->seeks.waiting, 1);
    fixture_end(&fixture);
    check_about("of the same rating the one that waits longest, and the nearest that is willing");
    begin_server(false);
    enter_rated((const int[CROWD]){1500, 1500, 1500, 1400, 1500, 1400, 1500});
    seek(0, 3, "seek clobber:2x2 color=black");
    seek(3, 4, "seek clobber:2x2 color=black rating=1500-1600");
    seek(4, 5, "seek clobber:2x2 color=white rating=0-1450");
    check_opponent(&crowd[4], "p3");
    seek(5, 6, "seek clobber:2x2");
    check_opponent(&crowd[5], "p0");
    seek(6, 7, "seek clobber:2x2");
    check_opponent(&crowd[6], "p1");
    fixture_end(&fixture);
}

static void test_one_turn(void)
{
    check_about("all who come in one turn: the one that came first has the choice");
    begin_server(false);
    enter_rated((const int[CROWD]){1900, 1500, 1520, 1880, 1100, 1510, 1090, 1700});
    seek(0, 8, "seek clobber:2x2");
    check_opponent(&crowd[0], "p3");
    check_opponent(&crowd[1], "p5");
    check_opponent(&crowd[2], "p7");
    check_opponent(&crowd[4], "p6");
    CHECK_INT(server->seeks.waiting, 0);
    CHECK(server->seeks.groups == NULL);
    fixture_end(&fixture);
}

static void test_seek_is_not_kept(bool shared)
{
    check_about("a match of seeks that is not kept is tried again, %s keeper",
                shared ? "late" : "quick");
    begin_server(shared);
    fixture.fake.failed = 1;
    full_disk_set(!shared);
    CHECK(say(&anna, "seek shakti repeat=yes") && say(&bob, "seek shakti"));
    fixture_settle(&fixture);
    full_disk_set(false);
    CHECK_INT(server->lobby.playing, 0);
    CHECK(server->seeks.waiting == 2 && server->seeks.blocked == 2);
    server_end_turn(server);
    CHECK_INT(server->seeks.waiting, 2);
    server_tick(server);
    fixture_settle(&fixture);
    CHECK_INT(server->lobby.playing, 1);
    check_opponent(&bob, "anna");
    CHECK(server->seeks.waiting == 0 && TAILQ_EMPTY(&bob.session->seeks));
    CHECK_INT(seek_count(&anna.session->seeks), 1);
    fixture_end(&fixture);
}

/* While the keeper has the match, its seeks can go, and be taken back. */
static void test_gone_meanwhile(void)
{
    check_about("a seek is taken back, and a seeker leaves, while the keeper has their match");
    begin_server(true);
    CHECK(say(&anna, "seek shakti") && say(&bob, "seek shakti"));
    server_end_turn(server);
    CHECK(server->seeks.waiting == 0 && server->lobby.playing == 0);
    presence_free(bob.session);
    CHECK(say(&anna, "unseek"));
    fixture_settle(&fixture);
    CHECK_INT(server->lobby.playing, 1);
    check_opponent(&anna, "bob");
    CHECK_INT(count(&anna, "\"claim_ms\":"), 1);
    CHECK(TAILQ_EMPTY(&server->seeks.all));
    fixture_end(&fixture);
}

int main(void)
{
    test_pair(false);
    test_pair(true);
    test_away();
    test_not_kept();
    test_may_open();
    test_nearest();
    test_one_turn();
    test_seek_is_not_kept(false);
    test_seek_is_not_kept(true);
    test_gone_meanwhile();
    return check_end("test_pairing");
}
