/* Units: changes are kept, announced and dropped together. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "common/move.h"
#include "four_peers.h"
#include "full_disk.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"

static void test_together(struct server *server, struct peer peers[PEERS])
{
    check_about("changes are announced once they are kept");
    CHECK(say(&peers[0], "move b1c1"));
    CHECK(say(&peers[2], "move b1c1"));
    for (int i = 0; i < PEERS; i++)
        CHECK_INT(peers[i].length, 0);
    const struct table *table = lobby_find(&server->lobby, "1");
    CHECK_INT(table->match.ply_count, 0);
    CHECK(table->lock.owner != NULL);

    check_about("lines that need a locked match sleep");
    CHECK(!say(&peers[1], "#7 draw"));
    CHECK(!say(&peers[2], "move b1c1"));

    check_about("others read what is kept, and do not wait");
    CHECK(say(&peers[3], "ping"));
    CHECK(say(&peers[3], "state 1"));
    CHECK(say(&peers[3], "frob"));
    CHECK_INT(count(&peers[3], "pong"), 1);
    CHECK_INT(count(&peers[3], "\"match\":\"1\",\"game\":\"clobber\",\"variant\":\"3x3\","
                               "\"status\":\"playing\",\"ply\":0"),
              1);
    CHECK_INT(count(&peers[3], "unknown-command"), 1);

    check_about("a peer with an unkept change reads after it is kept");
    CHECK(!say(&peers[0], "state"));

    check_about("once kept, all output is sent in order, and sleeping peers wake");
    server_end_turn(server);
    CHECK_INT(count(&peers[0], "\"type\":\"ok\",\"cmd\":\"move\",\"match\":\"1\",\"ply\":1"), 1);
    CHECK(strstr(peers[0].output, "\"type\":\"ok\"") < strstr(peers[0].output, "\"state\""));
    CHECK_INT(count(&peers[1], "\"type\":\"state\""), 1);
    CHECK(peers[0].woken && peers[1].woken && peers[2].woken && !peers[3].woken);
    CHECK(say(&peers[1], "#7 draw"));
    CHECK(say(&peers[2], "move b1c1"));
    CHECK(!say(&peers[0], "draw"));
    server_end_turn(server);
    CHECK_INT(count(&peers[1], "\"type\":\"ok\",\"id\":\"7\",\"cmd\":\"draw\""), 1);
    CHECK_INT(count(&peers[0], "\"type\":\"offer\""), 1);
    CHECK_INT(count(&peers[2], "not-your-turn"), 1);
    CHECK(say(&peers[0], "state"));
    CHECK(say(&peers[0], "decline 1"));
    server_end_turn(server);
}

static void test_illegal(struct server *server, struct peer *peer)
{
    const struct table *table = lobby_find(&server->lobby, "1");

    check_about("an illegal move opens nothing");
    skip(peer);
    CHECK(say(peer, "move a2b1"));
    CHECK(table->lock.owner == NULL);
    CHECK_INT(server->ready.count, 0);
    CHECK_INT(count(peer, "illegal-move"), 1);

    check_about("a refusal follows the reply before it");
    skip(peer);
    CHECK(say(peer, "new clobber"));
    CHECK(say(peer, "frob"));
    CHECK_INT(peer->length, 0);
    server_end_turn(server);
    const char *ok = strstr(peer->output, "\"ok\""), *error = strstr(peer->output, "\"error\"");
    CHECK(ok != NULL && error != NULL && ok < error);
    CHECK(say(peer, "abort 3"));
    server_end_turn(server);
}

/* Lines that come together may build on each other. */
static void test_pipelined(struct server *server, struct peer *peer)
{
    char line[64];

    check_about("a move in a match that the line before opens");
    skip(peer);
    long long number = (long long)server->lobby.opened + 1;
    CHECK(say(peer, "new clobber:3x3 white=me black=me"));
    snprintf(line, sizeof line, "move %lld b1c1", number);
    CHECK(!say(peer, line));
    CHECK(!say(peer, line));
    server_end_turn(server);
    CHECK(peer->woken && say(peer, line));
    CHECK(!say(peer, "resign"));
    server_end_turn(server);
    CHECK(say(peer, "resign"));
    CHECK_INT(count(peer, "ambiguous-match"), 1);
    snprintf(line, sizeof line, "abort %lld", number);
    CHECK(say(peer, line));
    server_end_turn(server);
    CHECK_INT(count(peer, "\"type\":\"ok\",\"cmd\":\"move\""), 1);
    CHECK_INT(count(peer, "\"reason\":\"aborted\""), 1);
}

/* Returns the number of replies with one result, over all commands. */
static uint64_t replies(const struct tally *tally, enum status status)
{
    uint64_t sum = 0;

    for (int i = 0; i < TALLY_COMMANDS_MAX; i++)
        sum += tally->replies[i][status];
    return sum;
}

/* Dropped units count only as answers `internal`. */
static void check_counts(const struct tally *tally, const struct tally *before, uint64_t internal)
{
    CHECK_INT(tally_sum(tally->moves, TALLY_GAMES_MAX), tally_sum(before->moves, TALLY_GAMES_MAX));
    CHECK_INT(tally_sum(tally->finished, TALLY_GAMES_MAX),
              tally_sum(before->finished, TALLY_GAMES_MAX));
    CHECK_INT(tally_errors(tally), tally_errors(before) + internal);
    CHECK_INT(replies(tally, STATUS_OK), replies(before, STATUS_OK));
    CHECK_INT(replies(tally, STATUS_INTERNAL), replies(before, STATUS_INTERNAL) + internal);
}

static void test_failed(struct server *server, struct peer peers[PEERS])
{
    struct tally tally = server->tally;
    int64_t ended = server->lobby.ended;

    check_about("units that cannot be written are dropped");
    skip_all(peers);
    full_disk_set(true);
    CHECK(say(&peers[1], "#8 move 1 b2c2 ply=1"));
    CHECK(say(&peers[2], "new shakti white=bob"));
    CHECK(say(&peers[3], "abort 2"));
    CHECK(say(&peers[0], "new clobber"));
    server_end_turn(server);
    full_disk_set(false);
    for (int i = 0; i < PEERS; i++) {
        CHECK_INT(count(&peers[i], "\"internal\""), 1);
        CHECK_INT(count(&peers[i], "\"type\":\"ok\"") + count(&peers[i], "\"type\":\"state\""), 0);
    }
    CHECK_INT(count(&peers[1], "\"id\":\"8\""), 1);
    check_counts(&server->tally, &tally, 4);
    const struct table *table = lobby_find(&server->lobby, "1");
    CHECK(table->match.status == MATCH_PLAYING && table->match.ply_count == 1);
    CHECK(table->lock.owner == NULL);
    CHECK_INT(server->lobby.ended, ended);
    CHECK_INT(server->lobby.playing, 2);
    CHECK_INT(server->lobby.open + server->lobby.opening, 0);

    check_about("and succeed once there is room");
    skip_all(peers);
    CHECK(say(&peers[1], "#8 move 1 b2c2 ply=1"));
    server_end_turn(server);
    CHECK(say(&peers[0], "resign 1"));
    server_end_turn(server);
    CHECK_INT(count(&peers[0], "\"result\":\"0-1\",\"reason\":\"resign\""), 1);
    CHECK(say(&peers[1], "rematch 1"));
    server_end_turn(server);
    CHECK(say(&peers[0], "rematch 1"));
    server_end_turn(server);
    CHECK_INT(count(&peers[0], "\"type\":\"rematch\",\"match\":\"1\""), 1);
}

static void test_names(struct server *server, struct peer *carl)
{
    static struct peer guests[3];
    char token[TOKEN_TEXT_MAX], line[96];

    check_about("a name that another peer is about to take");
    for (int i = 0; i < 3; i++)
        open_peer(server, &guests[i]);
    memcpy(token, carl->session->token, sizeof token);
    skip(carl);
    full_disk_set(true);
    CHECK(say(&guests[0], "hello eve"));
    CHECK(!say(&guests[2], "hello EVE"));
    server_end_turn(server);
    CHECK_INT(count(&guests[0], "\"internal\""), 1);
    CHECK(players_find(&server->players, "eve") == NULL);
    CHECK(guests[0].session->player->kind == PLAYER_GUEST);
    CHECK(guests[2].woken);
    full_disk_set(false);
    CHECK(say(&guests[2], "hello EVE"));
    CHECK(!say(&guests[1], "hello eve"));
    server_end_turn(server);
    CHECK_INT(count(&guests[2], "\"name\":\"EVE\""), 1);
    CHECK(say(&guests[1], "hello eve"));
    CHECK_INT(count(&guests[1], "name-taken"), 1);
    CHECK_INT(server->players.naming_count, 0);

    check_about("a returning player is present at once, even with a full disk");
    full_disk_set(true);
    snprintf(line, sizeof line, "#5 hello carl token=%s only=yes", token);
    CHECK(say(&guests[1], line));
    CHECK_INT(count(&guests[1], "\"type\":\"ok\",\"id\":\"5\""), 1);
    CHECK_INT(count(carl, "\"reason\":\"replaced\""), 1);
    server_end_turn(server);
    full_disk_set(false);
    for (int i = 0; i < 3; i++)
        presence_free(guests[i].session);
    server_end_turn(server);
}

/* A move that was taken back and repeated is kept with its new time. */
static void test_again(struct server *server, struct peer *peer)
{
    static const char *const moves[] = {"b1c1", "b2c2", "a2a1"};
    char line[64], id[TABLE_ID_MAX];

    check_about("a repeated move");
    CHECK(say(peer, "new clobber:3x3 white=me black=me"));
    server_end_turn(server);
    snprintf(id, sizeof id, "%s", TAILQ_LAST(&server->lobby.unfinished, table_list)->id);
    for (int round = 0; round < 2; round++) {
        for (size_t i = (size_t)round; i < LENGTH(moves); i++) {
            server->now_ms += round == 0 ? 100 : 30;
            snprintf(line, sizeof line, "move %s %s", id, moves[i]);
            CHECK(say(peer, line));
            server_end_turn(server);
        }
        snprintf(line, sizeof line, "undo %s", id);
        for (int i = 0; i < 2 && round == 0; i++) {
            CHECK(say(peer, line));
            server_end_turn(server);
        }
    }
    const struct match *match = &lobby_find(&server->lobby, id)->match;
    CHECK(match->ply_count == LENGTH(moves) && match->plies[0].took_ms == 100 &&
          match->plies[1].took_ms == 30);
}

static bool same_plies(const struct match *a, const struct match *b)
{
    for (int i = 0; i < a->ply_count; i++)
        if (!move_equal(a->plies[i].move, b->plies[i].move) ||
            a->plies[i].took_ms != b->plies[i].took_ms)
            return false;
    return a->ply_count == b->ply_count;
}

static void test_stored(struct fixture *fixture)
{
    static struct server other;
    const struct server *server = &fixture->server;
    const struct table *table;
    int played = 0;

    check_about("the store has everything");
    fixture_restart(fixture, &other);
    CHECK_INT(other.lobby.playing, server->lobby.playing);
    TAILQ_FOREACH (table, &server->lobby.finished, link)
        played += table->match.ply_count > 0; /* others are not kept */
    CHECK_INT(other.lobby.over, played);
    CHECK_INT(other.lobby.opened, server->lobby.opened);
    TAILQ_FOREACH (table, &server->lobby.unfinished, link) {
        const struct table *twin = lobby_find(&other.lobby, table->id);
        CHECK(twin != NULL && same_plies(&twin->match, &table->match) &&
              memcmp(&twin->match.position, &table->match.position, sizeof table->match.position) ==
                  0);
    }
    server_release(&other);
}

static void test_leaving(struct server *server, struct peer *stays, struct peer *leaves)
{
    check_about("a departing peer does not settle the changes of others");
    skip(stays);
    skip(leaves);
    CHECK(say(stays, "new clobber"));
    presence_close(leaves->session, "idle");
    CHECK_INT(count(leaves, "\"type\":\"bye\",\"reason\":\"idle\""), 1);
    CHECK_INT(leaves->closed, 1);
    CHECK_INT(count(stays, "\"type\":\"ok\""), 0);
    server_end_turn(server);
    CHECK_INT(count(stays, "\"type\":\"ok\""), 1);

    check_about("but its own changes settle first");
    skip(stays);
    CHECK(say(stays, "new clobber"));
    presence_close(stays->session, "idle");
    const char *bye = strstr(stays->output, "bye"), *ok = strstr(stays->output, "\"type\":\"ok\"");
    CHECK(ok != NULL && bye != NULL && ok < bye);
}

/* A draft may name a guest that leaves before it is kept. */
static void test_guest_leaves(struct server *server, struct peer *stays)
{
    static struct peer guest;
    char name[NAME_TEXT_MAX], line[64];

    check_about("a challenged guest leaves before the challenge is kept");
    open_peer(server, &guest);
    memcpy(name, guest.session->player->name, sizeof name);
    skip(stays);
    snprintf(line, sizeof line, "new clobber black=%s", name);
    CHECK(say(stays, line));
    presence_free(guest.session);
    CHECK_INT(stays->length, 0);
    CHECK(players_find(&server->players, name) != NULL);
    server_end_turn(server);
    CHECK_INT(count(stays, "\"type\":\"ok\""), 1);
    server_tick(server);
    server_end_turn(server);
    CHECK_INT(count(stays, "\"reason\":\"aborted\""), 1);
}

static void test_health(struct server *server, struct peer *peer)
{
    check_about("a refused move does not end the state of a full disk");
    skip(peer);
    full_disk_set(true);
    CHECK(say(peer, "new clobber"));
    server_end_turn(server);
    CHECK(server->keeper_fails);
    CHECK(say(peer, "move 2 a1a1"));
    server_end_turn(server);
    CHECK_INT(count(peer, "\"not-your-turn\""), 1);
    CHECK(server->keeper_fails);
    full_disk_set(false);
    CHECK(say(peer, "new clobber"));
    server_end_turn(server);
    CHECK(!server->keeper_fails);
}

static void test_last_error(struct server *server, struct peer *peer)
{
    check_about("a session ends only once, when its last error could not be kept");
    skip(peer);
    full_disk_set(true);
    CHECK(say(peer, "new clobber"));
    for (int i = 0; i < server->limits.errors - 1; i++)
        CHECK(say(peer, "move 2 a1a1"));
    server_end_turn(server);
    full_disk_set(false);
    CHECK_INT(peer->closed, 1);
    CHECK_INT(count(peer, "\"type\":\"bye\",\"reason\":\"too-many-errors\""), 1);
    CHECK_INT(count(peer, "\"internal\""), 1);
    CHECK_INT(count(peer, "\"type\":\"ok\""), 0);
}

/* Peers closed for errors leave matches behind, which end in separate units. */
static void test_last_error_of_another(struct server *server, struct peer *peer)
{
    static struct peer guest;

    check_about("a peer closed for errors does not lose the answers of others");
    open_peer(server, &guest);
    CHECK(say(&guest, "new clobber white=me black=me"));
    server_end_turn(server);
    skip(&guest);
    skip(peer);
    guest.session->errors_in_row = server->limits.errors - 1;
    full_disk_set(true);
    CHECK(say(peer, "#8 new clobber"));
    CHECK(say(&guest, "move a1a1"));
    server_end_turn(server);
    CHECK_INT(guest.closed, 1);
    CHECK_INT(count(peer, "\"id\":\"8\",\"cmd\":\"new\",\"code\":\"internal\""), 1);
    full_disk_set(false);
    presence_free(guest.session);
    for (int i = 0; i < 2; i++) {
        server_tick(server);
        server_end_turn(server);
    }
    CHECK(!server->guests_wait);
}

static void test_tournaments(struct server *server, struct peer peers[PEERS])
{
    struct tournaments *tournaments = &server->lobby.tournaments;

    check_about("tournaments that are not kept yet count against the limit");
    skip_all(peers);
    tournaments->unfinished = TOURNAMENTS_MAX - 1;
    CHECK(say(&peers[0], "tournament new A clobber format=swiss"));
    CHECK(say(&peers[1], "tournament new B clobber format=swiss"));
    CHECK_INT(count(&peers[1], "server-busy"), 1);
    server_end_turn(server);
    CHECK_INT(count(&peers[0], "\"tournament\":\"t1\""), 1);
    CHECK_INT(tournaments->unfinished, TOURNAMENTS_MAX);
    CHECK(TAILQ_EMPTY(&tournaments->opening));
    tournaments->unfinished = 1;
    CHECK(say(&peers[0], "tournament abort t1"));
    server_end_turn(server);
    CHECK_INT(tournaments->unfinished, 0);
    skip_all(peers);
}

static void test_one_key(struct server *server)
{
    static struct peer first, second;
    char line[128];

    check_about("two connections of a player say once=KEY in the same turn");
    open_peer(server, &first);
    open_peer(server, &second);
    CHECK(say(&first, "hello keyholder"));
    server_end_turn(server);
    snprintf(line, sizeof line, "hello keyholder token=%s", first.session->token);
    CHECK(say(&second, line));
    server_end_turn(server);
    skip(&first);
    skip(&second);
    int64_t opened = server->lobby.opened;
    CHECK(say(&first, "new clobber once=k1"));
    CHECK(say(&second, "new clobber once=k1"));
    server_end_turn(server);
    CHECK_INT(server->lobby.opened, opened + 1);
    CHECK_INT(count(&first, "\"type\":\"ok\""), 1);
    CHECK_INT(count(&second, "\"type\":\"ok\""), 1);
    presence_free(second.session);
    presence_free(first.session);
    server_end_turn(server);
}

int main(void)
{
    static struct fixture fixture;
    static struct peer peers[PEERS];
    struct server *server = &fixture.server;

    fixture_begin(&fixture, &four_limits, false);
    open_matches(&fixture, peers);
    test_together(server, peers);
    test_illegal(server, &peers[1]);
    test_pipelined(server, &peers[3]);
    test_tournaments(server, peers);
    test_failed(server, peers);
    test_again(server, &peers[0]);
    test_stored(&fixture);
    test_guest_leaves(server, &peers[3]);
    test_leaving(server, &peers[0], &peers[1]);
    test_health(server, &peers[2]);
    test_last_error_of_another(server, &peers[2]);
    test_last_error(server, &peers[3]);
    test_names(server, &peers[2]);
    test_one_key(server);
    fixture_end(&fixture);
    return check_end("test_units");
}
