/* Stress: peers send random lines, come and go while turns end, time passes, and the keeper is
 * full, late, stale or failing. After each round all is quiet: every line is answered in order,
 * nothing is locked or waits for anybody gone, and the store equals memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "common/move.h"
#include "fixture.h"
#include "full_disk.h"
#include "server/base/log.h"
#include "server/keep/store.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "test_limits.h"

enum { CLIENTS = 6, QUEUE = 64, SEEDS = 10, ROUNDS = 150, QUIET_TURNS = 200 };

/* A peer with lines that are still to be taken, as the event loop has them. */
struct client {
    struct peer peer; /* its session is NULL before the first visit */
    char lines[QUEUE][128];
    int head, tail;  /* of the lines, counted from the beginning of the visit */
    int sent_id;     /* of the last line */
    int answered_id; /* of the last reply; replies come in order */
    bool asleep;
    char token[TOKEN_TEXT_MAX];
};

static struct fixture fixture;
static struct server *const server = &fixture.server;
static struct client clients[CLIENTS];
static uint64_t state;

/* Returns a random number from 0 to n - 1. */
static unsigned dice(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

static int number_of(const struct client *client)
{
    return (int)(client - clients);
}

static bool is_gone(const struct client *client)
{
    return client->peer.session == NULL || client->peer.closed > 0;
}

static void leave(struct client *client)
{
    if (client->peer.session != NULL)
        presence_free(client->peer.session);
    client->peer.session = NULL;
}

static void visit(struct client *client)
{
    leave(client);
    open_peer(server, &client->peer);
    client->head = client->tail = client->sent_id = client->answered_id = 0;
    client->asleep = false;
}

/* Takes a client's output: notes a new token, and checks that the replies come in order. */
static void read_output(struct client *client)
{
    struct peer *peer = &client->peer;
    const char *token = strstr(peer->output, "\"token\":\"");

    for (const char *at = peer->output; (at = strstr(at, "\"id\":\"")) != NULL; at++)
        CHECK_INT(strtol(at + strlen("\"id\":\""), NULL, 10), ++client->answered_id);
    if (token != NULL)
        snprintf(client->token, sizeof client->token, "%.32s", token + strlen("\"token\":\""));
    peer->length = 0;
    peer->output[0] = '\0';
}

/* Hands over a client's lines until one sleeps, as the event loop does. */
static void hand_over(struct client *client)
{
    if (client->peer.session == NULL || (client->asleep && !client->peer.woken))
        return;
    client->peer.woken = false;
    client->asleep = !dispatch_resume(client->peer.session);
    while (!client->asleep && client->head < client->tail && client->peer.closed == 0)
        if (say(&client->peer, client->lines[client->head % QUEUE]))
            client->head++;
        else
            client->asleep = true;
    read_output(client);
}

static void hand_over_all(void)
{
    for (int i = 0; i < CLIENTS; i++)
        hand_over(&clients[i]);
}

/* Another server has changed a match. */
static void change_elsewhere(struct table *fresh)
{
    if (fresh->match.status == MATCH_PLAYING && dice(3) == 0) {
        match_resign(&fresh->match, SEATS_BLACK, server->now_ms);
    } else if (fresh->match.status == MATCH_PLAYING && dice(2) == 0) {
        fresh->match.offers[OFFER_DRAW][dice(2)] = true;
        fresh->match.revision++;
    }
    if (fresh->match.status == MATCH_OVER && fresh->ended == 0)
        fresh->ended = ++server->lobby.ended;
}

/* Returns a random match, mostly one that is not over; NULL if there is none. */
static const struct table *any_table(void)
{
    const struct table *table, *found = NULL;
    unsigned seen = 0;

    TAILQ_FOREACH (table, &server->lobby.unfinished, link)
        if (dice(++seen) == 0)
            found = table;
    if (dice(4) > 0)
        return found;
    TAILQ_FOREACH (table, &server->lobby.finished, link)
        if (dice(++seen) == 0)
            found = table;
    return found;
}

/* Writes a random legal move of a match; "a1b1" where there is none. */
static void any_move(const struct table *table, char text[MOVE_TEXT_MAX])
{
    struct move moves[MOVES_MAX];

    snprintf(text, MOVE_TEXT_MAX, "a1b1");
    if (table == NULL || table->match.status != MATCH_PLAYING)
        return;
    int count = table->match.game->legal(&table->match.position, moves);
    if (count > 0)
        move_format(&table->match.position, moves[dice((unsigned)count)], text);
}

static const char *any_name(void)
{
    const struct client *client = &clients[dice(CLIENTS)];

    return is_gone(client) ? "p1" : client->peer.session->player->name;
}

/* Writes a random command. In a template, I is the number of a match, M a move there, N the name of
 * some peer, P the client's own number and T its token. */
static void any_command(const struct client *client, char *text, size_t size)
{
    static const char *const templates[] = {
        "hello pP",
        "hello pP token=T",
        "new clobber:2x2",
        "new clobber:3x3 black=N clock=1+0",
        "new clobber:3x3 white=me black=me",
        "new clobber:2x2 white=N black=open",
        "new clobber:2x2 white=bot:easy black=bot:easy",
        "join I",
        "join I",
        "join I",
        "move I M",
        "move I M",
        "move I M",
        "move I M",
        "draw I",
        "undo I",
        "rematch I",
        "decline I",
        "resign I",
        "resign",
        "abort I",
        "watch I",
        "say I x",
        "state I",
        "who",
    };
    const struct table *table = any_table();
    char move[MOVE_TEXT_MAX];
    size_t length = 0;

    any_move(table, move);
    for (const char *at = templates[dice(LENGTH(templates))]; *at != '\0'; at++) {
        char own[] = {(char)('0' + number_of(client)), '\0'}, plain[] = {*at, '\0'};
        const char *word = *at == 'I'   ? (table != NULL ? table->id : "1")
                           : *at == 'M' ? move
                           : *at == 'N' ? any_name()
                           : *at == 'P' ? own
                           : *at == 'T' ? client->token
                                        : plain;
        length += (size_t)snprintf(text + length, size - length, "%s", word);
    }
}

static void send_any(struct client *client)
{
    char command[100];

    if (client->tail - client->head == QUEUE)
        return;
    any_command(client, command, sizeof command);
    snprintf(client->lines[client->tail++ % QUEUE], sizeof client->lines[0], "#%d %s",
             ++client->sent_id, command);
}

/* Breaks the keeper, or mends it. */
static void disturb_keeper(void)
{
    if (!fixture.shared) {
        full_disk_set(dice(3) == 0);
        return;
    }
    fixture.fake.stale = (int)dice(3);
    fixture.fake.failed = (int)dice(3);
}

static void mend_keeper(void)
{
    full_disk_set(false);
    fixture.fake.stale = fixture.fake.failed = 0;
}

static void step(void)
{
    struct client *client = &clients[dice(CLIENTS)];
    unsigned what = dice(30);

    if (is_gone(client))
        visit(client);
    if (what < 18)
        send_any(client);
    else if (what == 18 && dice(4) == 0)
        leave(client);
    else if (what == 19 && dice(4) == 0)
        presence_close(client->peer.session, "idle");
    else if (what == 20)
        server->now_ms += dice(700), server->wall_s++;
    else if (what == 21)
        server_run_deadlines(server);
    else if (what == 22 && dice(3) == 0)
        server_tick(server);
    else if (what == 23)
        disturb_keeper();
    else if (what > 23)
        hand_over_all();
    if (what > 25)
        server_end_turn(server);
    if (what > 26 && fixture.shared)
        keeper_fake_answer(&fixture.fake);
}

/* Lets everything come to an end: lines, units, matches whose flag is down, guests who are gone. */
static void calm_down(void)
{
    mend_keeper();
    for (int i = 0; i < QUIET_TURNS; i++) {
        hand_over_all();
        fixture_settle(&fixture);
        if (i == QUIET_TURNS / 3)
            server->now_ms += 1500;
        if (i % 10 == 0) {
            server_run_deadlines(server);
            server_tick(server);
        }
        fixture_settle(&fixture);
    }
    hand_over_all();
}

static void check_client(const struct client *client)
{
    const struct session *session = client->peer.session;

    if (is_gone(client))
        return;
    CHECK_INT(client->tail - client->head, 0);
    CHECK_INT(session->unsettled, 0);
    CHECK(session->again.text == NULL && session->waiter.lock == NULL && session->sleeps == AWAKE);
    CHECK_INT(client->answered_id, client->sent_id);
}

static void check_table(const struct table *table)
{
    const struct match *match = &table->match;

    CHECK(table->lock.owner == NULL && TAILQ_EMPTY(&table->lock.queue));
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *player = table->seats[color].player;
        CHECK_THAT(player == NULL || player->kind != PLAYER_GUEST || player_is_connected(player),
                   "match %s waits for %s", table->id, player != NULL ? player->name : "");
    }
    if (match->status != MATCH_PLAYING || clock_flag_ms(&match->clock) == INT64_MAX)
        return;
    CHECK(table->deadline.place != 0 && table->deadline.at_ms <= clock_flag_ms(&match->clock));
}

static void compare_ratings(const struct player *player, struct player *twin)
{
    const struct rating *rating;

    SLIST_FOREACH(rating, &player->ratings, link)
    {
        const struct rating *kept = rating_find(&twin->ratings, rating->game, rating->variant);
        CHECK(kept != NULL && kept->matches == rating->matches &&
              kept->now.rating == rating->now.rating);
    }
}

/* House bots and guests have no rows but where matches need them. */
static void compare_player(const struct player *player, void *context)
{
    struct server *restarted = context;
    struct player *twin = players_find(&restarted->players, player->name);

    if (player->kind == PLAYER_GUEST || (player->kind == PLAYER_HOUSE && !player->stored))
        return;
    if (!CHECK_THAT(twin != NULL, "%s is not in the store", player->name))
        return;
    CHECK(twin->id == player->id && twin->kind == player->kind && twin->bot == player->bot);
    CHECK(memcmp(twin->token_hash, player->token_hash, TOKEN_HASH_BYTES) == 0);
    if (player->kind == PLAYER_NAMED && !player_is_connected(player))
        CHECK(twin->seen_s <= player->seen_s); /* older if the disk was full then */
    const struct seat *seat;
    CHECK(player->played || !twin->played);
    TAILQ_FOREACH (seat, &player->seats, link)
        CHECK(twin->played || !match_both_have_moved(&seat->table->match));
    compare_ratings(player, twin);
}

static bool same_player(const struct player *a, const struct player *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->id == b->id && strcmp(a->name, b->name) == 0;
}

static void compare_match(const struct match *match, const struct match *twin)
{
    CHECK(twin->status == match->status && twin->ply_count == match->ply_count);
    CHECK(memcmp(&twin->position, &match->position, sizeof match->position) == 0);
    CHECK(memcmp(twin->offers, match->offers, sizeof match->offers) == 0);
    CHECK(memcmp(&twin->outcome, &match->outcome, sizeof match->outcome) == 0);
    for (int color = WHITE; color <= BLACK; color++)
        CHECK_INT(twin->clock.left_ms[color], match->clock.left_ms[color]);
    for (int i = 0; i < match->ply_count && i < twin->ply_count; i++)
        CHECK(move_equal(match->plies[i].move, twin->plies[i].move) &&
              match->plies[i].took_ms == twin->plies[i].took_ms);
}

static void compare_table(const struct table *table, const struct server *restarted)
{
    const struct table *twin = lobby_find(&restarted->lobby, table->id);

    if (!CHECK_THAT(twin != NULL, "match %s is not in the store", table->id))
        return;
    compare_match(&table->match, &twin->match);
    CHECK(twin->ended == table->ended && twin->changed_s == table->changed_s);
    CHECK(same_player(twin->creator, table->creator));
    for (int color = WHITE; color <= BLACK; color++) {
        CHECK(same_player(twin->seats[color].player, table->seats[color].player));
        CHECK(twin->seats[color].joined == table->seats[color].joined);
        CHECK(twin->seats[color].was_open == table->seats[color].was_open);
        CHECK(twin->rating_after[color] == table->rating_after[color]);
    }
}

static void compare_store(void)
{
    static struct server restarted;
    const struct table *table;
    int unplayed = 0;

    fixture_restart(&fixture, &restarted);
    players_each(&server->players, compare_player, &restarted);
    TAILQ_FOREACH (table, &server->lobby.unfinished, link)
        compare_table(table, &restarted);
    TAILQ_FOREACH (table, &server->lobby.finished, link) {
        CHECK(table->number <= restarted.lobby.opened && table->ended <= restarted.lobby.ended);
        unplayed += table->match.ply_count == 0; /* these are not kept */
        if (table->match.ply_count > 0)
            compare_table(table, &restarted);
    }
    CHECK_INT(restarted.lobby.open, server->lobby.open);
    CHECK_INT(restarted.lobby.playing, server->lobby.playing);
    CHECK(restarted.lobby.over >= server->lobby.over - unplayed); /* older ones have their place */
    server_release(&restarted);
}

static void check_quiet(void)
{
    const struct table *table;

    for (int i = 0; i < CLIENTS; i++)
        check_client(&clients[i]);
    TAILQ_FOREACH (table, &server->lobby.unfinished, link)
        check_table(table);
    CHECK_INT(server->lobby.opening, 0);
    CHECK_INT(server->players.naming_count, 0);
    if (!fixture.shared)
        compare_store();
}

static void begin_world(unsigned seed, bool shared)
{
    struct limits limits = test_limits;

    limits.unfinished = 16;
    limits.matches = 10;
    limits.finished = 4;
    limits.errors = 1000000;
    limits.names = 1000;
    limits.idle_s = limits.text_idle_s = 86400;
    limits.rate = 20;
    limits.grace_s = 1;
    state = seed;
    memset(clients, 0, sizeof clients);
    fixture_begin(&fixture, &limits, shared);
    fixture.fake.meanwhile = change_elsewhere;
    house_bots_add_levels(&server->house, "easy");
    server_add_levels(server);
}

static void test_seed(unsigned seed, bool shared)
{
    begin_world(seed, shared);
    for (int round = 0; round < ROUNDS && check_failures() == 0; round++) {
        check_about("seed %u, %s, round %d", seed, shared ? "shared keeper" : "store", round);
        for (int steps = 5 + (int)dice(40); steps > 0; steps--)
            step();
        calm_down();
        check_quiet();
    }
    fixture_end(&fixture);
}

int main(void)
{
    log_set_level(LOG_LEVELS);
    for (unsigned seed = 1; seed <= SEEDS; seed++)
        for (int shared = 0; shared <= 1; shared++)
            test_seed(seed, shared);
    return check_end("test_stress");
}
