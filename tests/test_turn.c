/* Several commands in one turn of the event loop: kept together, told together, undone together. */
#include <cjson/cJSON.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "common/move.h"
#include "server/server.h"
#include "server/session.h"
#include "server/store.h"

enum { PEERS = 4 };

struct peer {
    struct session *session;
    char output[65536];
    size_t length;
    int closed; /* how often the session has asked to close it */
};

static void peer_write(void *context, const char *bytes, size_t length)
{
    struct peer *peer = context;

    if (peer->length + length >= sizeof peer->output)
        abort();
    memcpy(peer->output + peer->length, bytes, length);
    peer->length += length;
    peer->output[peer->length] = '\0';
}

static void peer_close(void *context)
{
    ((struct peer *)context)->closed++;
}

static bool say(struct peer *peer, const char *line)
{
    return session_line(peer->session, line, strlen(line));
}

/* Forgets what the peer got so far. */
static void skip(struct peer *peer)
{
    peer->length = 0;
    peer->output[0] = '\0';
}

/* How often the peer got this text, since skip(). */
static int count(const struct peer *peer, const char *text)
{
    int found = 0;

    for (const char *at = peer->output; (at = strstr(at, text)) != NULL; at++)
        found++;
    return found;
}

static void fill_disk(bool full)
{
    struct rlimit limit;

    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = full ? 0 : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* Two matches run, between the first two peers and the last two. */
static void open_matches(struct server *server, struct peer peers[PEERS])
{
    static const char *const names[] = {"anna", "bob", "carl", "dora"};
    char line[64];

    for (int i = 0; i < PEERS; i++) {
        peers[i].session =
            session_open(server, (struct sink){&peers[i], peer_write, peer_close}, NULL);
        snprintf(line, sizeof line, "hello %s", names[i]);
        CHECK(say(&peers[i], line));
        server_end_turn(server);
    }
    for (int i = 0; i < PEERS; i += 2) {
        CHECK(say(&peers[i], "new clobber:3x3"));
        server_end_turn(server);
        snprintf(line, sizeof line, "join %d", 1 + i / 2);
        CHECK(say(&peers[i + 1], line));
        server_end_turn(server);
    }
    for (int i = 0; i < PEERS; i++)
        skip(&peers[i]);
}

static void test_together(struct server *server, struct peer peers[PEERS])
{
    check_about("nobody is told before the turn ends");
    CHECK(say(&peers[0], "move b1c1"));
    CHECK(say(&peers[2], "move b1c1"));
    CHECK(say(&peers[2], "move b1c1"));
    CHECK(say(&peers[1], "#7 draw"));
    for (int i = 0; i < PEERS; i++)
        CHECK_INT(peers[i].length, 0);

    check_about("what changes nothing waits");
    CHECK(!say(&peers[3], "ping"));
    CHECK(!say(&peers[3], "state"));
    CHECK(!say(&peers[3], "\xff"));
    CHECK(!say(&peers[3], "frob"));
    CHECK(!session_line_too_long(peers[3].session));

    check_about("all goes out with the turn, in order");
    server_end_turn(server);
    CHECK_INT(count(&peers[0], "\"type\":\"ok\",\"cmd\":\"move\",\"match\":\"1\",\"ply\":1"), 1);
    CHECK_INT(count(&peers[0], "\"type\":\"state\""), 1);
    CHECK_INT(count(&peers[0], "\"type\":\"offer\""), 1);
    CHECK_INT(count(&peers[1], "\"type\":\"ok\",\"id\":\"7\",\"cmd\":\"draw\""), 1);
    CHECK_INT(count(&peers[2], "\"type\":\"ok\""), 1);
    CHECK_INT(count(&peers[2], "not-your-turn"), 1);
    CHECK_INT(count(&peers[3], "\"type\":\"state\""), 1);
    CHECK(say(&peers[3], "ping"));
    CHECK_INT(count(&peers[3], "pong"), 1);
}

static void test_full(struct server *server, struct peer peers[PEERS])
{
    check_about("a turn that holds much back takes no more commands");
    CHECK(say(&peers[1], "draw 1"));
    CHECK(server->turn.open);
    size_t length = server->turn.length;
    server->turn.length = TURN_BYTES_MAX + 1;
    CHECK(!say(&peers[3], "#9 move 2 a1a9"));
    server->turn.length = length;
    CHECK(say(&peers[3], "#9 move 2 a1a9"));
    server_end_turn(server);
    CHECK_INT(count(&peers[3], "\"id\":\"9\""), 1);
}

/* The replies of one result, over all commands. */
static uint64_t replies(const struct tally *tally, enum status status)
{
    uint64_t sum = 0;

    for (int i = 0; i < TALLY_COMMANDS_MAX; i++)
        sum += tally->replies[i][status];
    return sum;
}

/* Of a turn that was undone only the answers `internal` are counted. */
static void check_counts(const struct server *server, const struct counters *counters,
                         const struct tally *tally, uint64_t internal)
{
    CHECK_INT(server->counters.moves, counters->moves);
    CHECK_INT(server->counters.matches, counters->matches);
    CHECK_INT(server->counters.errors, counters->errors + internal);
    CHECK(memcmp(server->tally.moves, tally->moves, sizeof tally->moves) == 0);
    CHECK(memcmp(server->tally.finished, tally->finished, sizeof tally->finished) == 0);
    CHECK_INT(replies(&server->tally, STATUS_OK), replies(tally, STATUS_OK));
    CHECK_INT(replies(&server->tally, STATUS_INTERNAL), replies(tally, STATUS_INTERNAL) + internal);
}

static void test_undone(struct server *server, struct peer peers[PEERS])
{
    struct counters counters = server->counters;
    struct tally tally = server->tally;

    check_about("a turn that cannot be written is undone as a whole");
    for (int i = 0; i < PEERS; i++)
        skip(&peers[i]);
    fill_disk(true);
    CHECK(say(&peers[1], "#8 move 1 a2a1 ply=1"));
    CHECK(say(&peers[0], "undo"));
    CHECK(say(&peers[0], "resign"));
    CHECK(say(&peers[1], "rematch 1"));
    CHECK(say(&peers[0], "rematch 1"));
    CHECK(say(&peers[2], "new shakti white=bob"));
    CHECK(say(&peers[1], "join 4"));
    CHECK(say(&peers[3], "abort 2"));
    server_end_turn(server);
    fill_disk(false);
    CHECK_INT(count(&peers[0], "\"internal\""), 3);
    CHECK_INT(count(&peers[1], "\"internal\""), 3);
    CHECK_INT(count(&peers[1], "\"id\":\"8\""), 1);
    CHECK_INT(count(&peers[2], "\"internal\""), 1);
    CHECK_INT(count(&peers[3], "\"internal\""), 1);
    check_counts(server, &counters, &tally, 8);
    for (int i = 0; i < PEERS; i++)
        CHECK_INT(count(&peers[i], "\"type\":\"ok\"") + count(&peers[i], "\"type\":\"state\""), 0);
    const struct table *table = lobby_find(&server->lobby, "1");
    CHECK(table != NULL && table->match.status == MATCH_PLAYING && table->match.ply_count == 1);
    CHECK(table != NULL && table->match.offers[OFFER_DRAW][BLACK]);
    CHECK(lobby_find(&server->lobby, "3") == NULL && lobby_find(&server->lobby, "4") == NULL);
    CHECK_INT(server->lobby.opened, 2);
    CHECK_INT(server->lobby.ended, 0);
    CHECK_INT(server->lobby.playing, 2);
    CHECK_INT(server->lobby.open + server->lobby.over, 0);

    check_about("and goes through when there is room");
    for (int i = 0; i < PEERS; i++)
        skip(&peers[i]);
    CHECK(say(&peers[1], "#8 move 1 a2a1 ply=1"));
    CHECK(say(&peers[0], "resign"));
    CHECK(say(&peers[1], "rematch 1"));
    CHECK(say(&peers[0], "rematch 1"));
    server_end_turn(server);
    CHECK_INT(count(&peers[0], "\"result\":\"0-1\",\"reason\":\"resign\""), 1);
    CHECK_INT(count(&peers[0], "\"match\":\"3\""), 1);
}

/* New names share a turn; who comes back ends it first, as that could not be undone. */
static void test_hello(struct server *server, struct peer *carl)
{
    static struct peer guests[3];
    char token[TOKEN_TEXT_MAX], line[96];

    check_about("names that are taken in one turn");
    for (int i = 0; i < 3; i++)
        guests[i].session =
            session_open(server, (struct sink){&guests[i], peer_write, peer_close}, NULL);
    memcpy(token, carl->session->token, sizeof token);
    skip(carl);
    fill_disk(true);
    CHECK(say(&guests[0], "hello eve"));
    CHECK(say(&guests[1], "hello frank"));
    CHECK(say(&guests[2], "hello EVE"));
    server_end_turn(server);
    for (int i = 0; i < 3; i++)
        CHECK_INT(count(&guests[i], "\"internal\""), 1);
    CHECK(players_find(&server->players, "eve") == NULL);
    CHECK(guests[0].session->player->kind == PLAYER_GUEST);

    snprintf(line, sizeof line, "#5 hello carl token=%s", token);
    skip(&guests[0]);
    skip(&guests[2]);
    CHECK(say(&guests[0], "hello eve"));
    CHECK(say(&guests[2], line));
    CHECK_INT(count(&guests[0], "\"internal\""), 1);
    CHECK_INT(count(&guests[2], "\"type\":\"ok\",\"id\":\"5\""), 1);
    CHECK_INT(count(&guests[2], "\"internal\""), 0);
    CHECK_INT(count(carl, "\"reason\":\"replaced\""), 1);
    fill_disk(false);
    CHECK(say(&guests[0], "hello eve"));
    CHECK(say(&guests[1], "hello frank"));
    server_end_turn(server);
    CHECK_INT(count(&guests[0], "\"name\":\"eve\""), 1);
    CHECK_INT(count(&guests[1], "\"name\":\"frank\""), 1);
    for (int i = 0; i < 3; i++)
        session_free(guests[i].session);
    server_end_turn(server);
}

/* What the store has is what the server has. */
/* What was taken back and played again in one turn is what is kept, with its new time. */
static void test_again(struct server *server, struct peer *peer)
{
    char line[64], id[TABLE_ID_MAX];

    check_about("a move that is played again");
    CHECK(say(peer, "new clobber:3x3 white=me black=me"));
    server_end_turn(server);
    snprintf(id, sizeof id, "%s", TAILQ_LAST(&server->lobby.unfinished, table_list)->id);
    static const char *const moves[] = {"b1c1", "b2c2", "a2a1"};
    for (size_t i = 0; i < LENGTH(moves); i++) {
        server->now_ms += 100;
        snprintf(line, sizeof line, "move %s %s", id, moves[i]);
        CHECK(say(peer, line));
    }
    server_end_turn(server);
    CHECK_INT(lobby_find(&server->lobby, id)->match.ply_count, LENGTH(moves));
    snprintf(line, sizeof line, "undo %s", id);
    CHECK(say(peer, line) && say(peer, line));
    for (size_t i = 1; i < LENGTH(moves); i++) {
        server->now_ms += 30;
        snprintf(line, sizeof line, "move %s %s", id, moves[i]);
        CHECK(say(peer, line));
    }
    CHECK(server->turn.open);
    server_end_turn(server);
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

static void test_stored(struct server *server, struct store *store)
{
    static struct server other;
    struct cause cause;
    const struct table *table;

    check_about("the store has it all");
    server_init(&other, &server->limits);
    CHECK_THAT(store_load(store, &other.players, &other.lobby, 0, &cause), "%s", cause.text);
    CHECK_INT(other.lobby.playing, server->lobby.playing);
    CHECK_INT(other.lobby.over, server->lobby.over);
    CHECK_INT(other.lobby.opened, server->lobby.opened);
    TAILQ_FOREACH (table, &server->lobby.unfinished, link) {
        const struct table *twin = lobby_find(&other.lobby, table->id);
        CHECK(twin != NULL && same_plies(&twin->match, &table->match) &&
              memcmp(&twin->match.position, &table->match.position, sizeof table->match.position) ==
                  0);
    }
    server_release(&other);
}

/* Undone ends leave gaps in the order of ends; the latest are loaded all the same. */
static void test_gap(struct server *server, struct peer peers[PEERS], struct store *store)
{
    static struct server other;
    struct limits limits = server->limits;
    struct cause cause;

    check_about("the latest finished matches, with a gap between them");
    CHECK_INT(server->lobby.ended, 1);
    fill_disk(true);
    CHECK(say(&peers[2], "draw 2"));
    CHECK(say(&peers[0], "resign 3"));
    CHECK(say(&peers[2], "resign 2"));
    server_end_turn(server);
    fill_disk(false);
    CHECK_INT(server->lobby.over, 1);
    CHECK(say(&peers[0], "resign 3"));
    server_end_turn(server);
    limits.finished = 2;
    server_init(&other, &limits);
    CHECK_THAT(store_load(store, &other.players, &other.lobby, 0, &cause), "%s", cause.text);
    CHECK_INT(other.lobby.over, 2);
    server_release(&other);
}

/* A session that ends goes without waiting for what others have changed in the turn. */
static void test_leaving(struct server *server, struct peer *stays, struct peer *leaves)
{
    check_about("who leaves does not end the turn of others");
    skip(stays);
    skip(leaves);
    CHECK(say(stays, "new clobber"));
    session_close(leaves->session, "idle");
    CHECK_INT(count(leaves, "\"type\":\"bye\",\"reason\":\"idle\""), 1);
    CHECK_INT(leaves->closed, 1);
    CHECK_INT(stays->length, 0);
    server_end_turn(server);
    CHECK_INT(count(stays, "\"type\":\"ok\""), 1);

    check_about("but who has something in it is told first");
    skip(stays);
    CHECK(say(stays, "new clobber"));
    session_close(stays->session, "idle");
    const char *bye = strstr(stays->output, "bye"), *ok = strstr(stays->output, "\"type\":\"ok\"");
    CHECK(ok != NULL && bye != NULL && ok < bye);
}

/* What is undone may need everybody who was there: guests who leave are kept for so long. */
static void test_guests_leave(struct server *server, struct peer *stays)
{
    static struct peer guests[2];
    char names[2][NAME_TEXT_MAX];

    check_about("guests who leave while a turn is open");
    for (int i = 0; i < 2; i++) {
        guests[i].session =
            session_open(server, (struct sink){&guests[i], peer_write, peer_close}, NULL);
        memcpy(names[i], guests[i].session->player->name, sizeof names[i]);
    }
    skip(stays);
    CHECK(say(stays, "new clobber"));
    for (int i = 0; i < 2; i++)
        session_free(guests[i].session);
    CHECK(server->turn.open && stays->length == 0);
    for (int i = 0; i < 2; i++)
        CHECK(players_find(&server->players, names[i]) != NULL);
    server_end_turn(server);
    CHECK_INT(count(stays, "\"type\":\"ok\""), 1);
    for (int i = 0; i < 2; i++)
        CHECK(players_find(&server->players, names[i]) == NULL);
}

/* A turn in which nothing is to be written tells nothing about the disk. */
static void test_health(struct server *server, struct peer *peer)
{
    check_about("a disk that is full does not work again because of a refused move");
    skip(peer);
    fill_disk(true);
    CHECK(say(peer, "new clobber"));
    server_end_turn(server);
    CHECK(server->turn.failing);
    CHECK(say(peer, "move 2 a1a1"));
    server_end_turn(server);
    CHECK_INT(count(peer, "\"not-your-turn\""), 1);
    CHECK(server->turn.failing);
    fill_disk(false);
    CHECK(say(peer, "new clobber"));
    server_end_turn(server);
    CHECK(!server->turn.failing);
}

/* The error that ends a session is in a turn that cannot be written. */
static void test_last_error(struct server *server, struct peer *peer)
{
    check_about("a session ends only once");
    skip(peer);
    fill_disk(true);
    CHECK(say(peer, "new clobber"));
    for (int i = 0; i < server->limits.errors; i++)
        CHECK(say(peer, "move 2 a1a1"));
    server_end_turn(server);
    fill_disk(false);
    CHECK_INT(peer->closed, 1);
    CHECK_INT(count(peer, "\"type\":\"bye\""), 1);
    CHECK_INT(count(peer, "\"type\":\"ok\""), 0);
}

/* Who is closed for it leaves a match behind, which is the first change of another turn. */
static void test_last_error_of_another(struct server *server, struct peer *peer)
{
    static struct peer guest;

    check_about("who is closed for his errors does not take the answers of others with him");
    guest.session = session_open(server, (struct sink){&guest, peer_write, peer_close}, NULL);
    CHECK(say(&guest, "new clobber white=me black=me"));
    server_end_turn(server);
    skip(&guest);
    skip(peer);
    guest.session->errors_in_row = server->limits.errors - 2;
    fill_disk(true);
    CHECK(say(&guest, "move a1a1"));
    CHECK(say(peer, "#8 new clobber"));
    server_end_turn(server);
    CHECK_INT(count(&guest, "internal"), 1);
    CHECK_INT(guest.closed, 1);
    CHECK_INT(count(peer, "\"id\":\"8\",\"cmd\":\"new\",\"code\":\"internal\""), 1);
    fill_disk(false);
    session_free(guest.session);
    server_end_turn(server);
}

/* The same, where the last line was no command: it was answered before, and its verb is gone. */
static void test_last_error_is_no_command(struct server *server)
{
    static struct peer guest;

    check_about("what was refused is not answered again when its sender's matches cannot be ended");
    guest.session = session_open(server, (struct sink){&guest, peer_write, peer_close}, NULL);
    CHECK(say(&guest, "new clobber white=me black=me"));
    server_end_turn(server);
    skip(&guest);
    guest.session->errors_in_row = server->limits.errors - 1;
    fill_disk(true);
    CHECK(say(&guest, "frob"));
    CHECK(server->turn.open);
    CHECK_INT(server->turn.request_count, 0);
    server_end_turn(server);
    fill_disk(false);
    CHECK_INT(count(&guest, "\"type\":\"error\",\"cmd\":\"frob\",\"code\":\"unknown-command\""), 1);
    CHECK_INT(count(&guest, "internal"), 0);
    CHECK_INT(guest.closed, 1);
    session_free(guest.session);
    server_end_turn(server);
}

int main(void)
{
    static struct server server;
    static struct peer peers[PEERS];
    const struct limits limits = {.unfinished = 1000,
                                  .watchers = 100,
                                  .first_line_s = 86400,
                                  .connections = 10,
                                  .names = 10,
                                  .matches = 10,
                                  .finished = 10,
                                  .errors = 10,
                                  .idle_s = 60};
    char folder[] = "/tmp/ludus-test-XXXXXX", path[64];
    struct cause cause;

    signal(SIGXFSZ, SIG_IGN);
    if (mkdtemp(folder) == NULL)
        abort();
    struct store *store = store_open(folder, DURABILITY_POWER, &cause);
    CHECK_THAT(store != NULL, "%s", cause.text);
    server_init(&server, &limits);
    CHECK_THAT(server_take_up(&server, store, &cause), "%s", cause.text);
    open_matches(&server, peers);
    test_together(&server, peers);
    test_full(&server, peers);
    test_undone(&server, peers);
    test_gap(&server, peers, store);
    test_again(&server, &peers[0]);
    test_stored(&server, store);
    test_guests_leave(&server, &peers[3]);
    test_leaving(&server, &peers[0], &peers[1]);
    test_health(&server, &peers[2]);
    test_last_error_of_another(&server, &peers[2]);
    test_last_error_is_no_command(&server);
    test_last_error(&server, &peers[3]);
    test_hello(&server, &peers[2]);
    server_shutdown(&server);
    for (int i = 0; i < PEERS; i++)
        session_free(peers[i].session);
    server_release(&server);
    store_close(store);
    snprintf(path, sizeof path, "%s/ludus.db", folder);
    unlink(path);
    rmdir(folder);
    return check_end("test_turn");
}
