/* Turns of the loop: connections of one address share its time in each, one after the other, and
 * of those that wait to be accepted it takes a few. */
#include <arpa/inet.h>
#include <event2/event.h>
#include <netdb.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "server/net/connection.h"
#include "server/net/listener.h"
#include "server/net/peer.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "test_limits.h"

enum {
    PEERS = 3,
    CROWD = 300,
    TURNS_MAX = 1000,
    SLOW_LINES = 6,
    BUSY_US = 2000 /* more than an address has of a turn */
};

static struct server server;
static struct connections connections;
static struct event_base *base;
static struct limits limits;

/* The letters of the lines that were run, in order. */
static char said[64];

/* Keeps the server busy for longer than an address may in a turn, and notes the letter. */
static enum status run_slow(struct request *request)
{
    int64_t until_us = tally_now_us() + BUSY_US;

    said[strlen(said)] = request->arguments.words[0][0];
    while (tally_now_us() < until_us)
        continue;
    return request_ok(request, (struct ok){0});
}

/* How many such lines were run, at all, in this turn, and in the turn that had most. */
static int quick_lines, quick_of_turn, quick_most;

static enum status run_quick(struct request *request)
{
    static uint64_t turn;

    quick_of_turn = server.turn == turn ? quick_of_turn + 1 : 1;
    turn = server.turn;
    quick_most = quick_of_turn > quick_most ? quick_of_turn : quick_most;
    quick_lines++;
    return request_ok(request, (struct ok){0});
}

static const struct command test_commands[] = {
    {.verb = "slow", .summary = "", .min = 1, .max = 1, .run = run_slow},
    {.verb = "quick", .summary = "", .min = 0, .max = 0, .run = run_quick},
    {0}};

/* Connects from an address, and returns the client's end. */
static int open_socket(const char *address)
{
    struct sockaddr_in from = {.sin_family = AF_INET}, own = {.sin_family = AF_INET};
    int ends[2];

    inet_pton(AF_INET, address, &from.sin_addr);
    struct origin_key key = address_key((struct sockaddr *)&from, (struct sockaddr *)&own);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0)
        abort();
    connections_open(&connections, ends[0], origins_enter(&server.origins, &key), NULL, false);
    return ends[1];
}

static void send_text(int fd, const char *text)
{
    CHECK_INT(write(fd, text, strlen(text)), (int64_t)strlen(text));
}

/* As the loop makes a turn. */
static void make_turn(void)
{
    event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    server_end_turn(&server);
    server.turn++;
    connections_work(&connections);
    server_end_turn(&server);
    connections_write(&connections);
}

/* Closes the clients' ends, and waits until the server has closed its own. */
static void close_all(const int *peers, int count)
{
    for (int i = 0; i < count; i++)
        close(peers[i]);
    for (int turn = 0; server.session_count > 0 && turn < TURNS_MAX; turn++)
        make_turn();
    CHECK_INT(server.session_count, 0);
}

static void test_slow_lines(void)
{
    int peers[PEERS];

    for (int i = 0; i < PEERS; i++)
        peers[i] = open_socket("192.0.2.1");
    check_about("who has had a turn comes after those of the address who have not");
    for (int i = 0; i < SLOW_LINES; i++)
        send_text(peers[0], "slow a\n");
    make_turn();
    CHECK(strcmp(said, "a") == 0 || strcmp(said, "aa") == 0);
    memset(said, 0, sizeof said);
    send_text(peers[1], "slow b\nslow b\n");
    send_text(peers[2], "slow c\nslow c\n");
    for (int i = 0; i < 2 * PEERS; i++)
        make_turn();
    CHECK_THAT(strncmp(said, "abcabc", 6) == 0 || strncmp(said, "bcabca", 6) == 0, "%s", said);
    close_all(peers, PEERS);
}

static void test_many_connections(void)
{
    int peers[CROWD + 1], before_friend = CROWD;

    check_about("lines of many connections from an address take more than one turn");
    memset(said, 0, sizeof said);
    for (int i = 0; i < CROWD; i++)
        send_text(peers[i] = open_socket("192.0.2.1"), "quick\n");
    send_text(peers[CROWD] = open_socket("192.0.2.2"), "slow f\n");
    for (int turn = 0; quick_lines < CROWD && turn < TURNS_MAX; turn++) {
        make_turn();
        if (said[0] == 'f' && before_friend == CROWD)
            before_friend = quick_lines;
    }
    CHECK_INT(quick_lines, CROWD);
    CHECK_THAT(quick_most <= 50, "%d", quick_most); /* of 20 us each */
    CHECK_THAT(before_friend < CROWD, "%d", before_friend);
    close_all(peers, CROWD + 1);
}

static void test_accepting(void)
{
    struct listen_addresses addresses = {.count = 0};
    struct listeners listeners;
    struct addrinfo *to;
    struct cause cause;
    int peers[CROWD];

    check_about("a few connections are accepted in a turn");
    listeners_init(&listeners, &connections);
    CHECK(listeners_add(&listeners, "127.0.0.1:0", NULL, &addresses, &cause));
    CHECK(address_resolve(addresses.list[0].bound, &to, &cause));
    for (int i = 0; i < CROWD; i++) {
        peers[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        CHECK_INT(connect(peers[i], to->ai_addr, to->ai_addrlen), 0);
    }
    freeaddrinfo(to);
    make_turn();
    CHECK_INT(server.session_count, 4);
    for (int turn = 0; turn < TURNS_MAX; turn++)
        make_turn();
    CHECK_INT(server.session_count, CROWD);
    close_all(peers, CROWD);
    listeners_release(&listeners);
}

int main(void)
{
    static const struct command *const commands[] = {test_commands, NULL};

    signal(SIGPIPE, SIG_IGN); /* as ludusd does */
    limits = test_limits;
    server_init(&server, &limits);
    server.commands = commands;
    base = event_base_new();
    connections_init(&connections, base, &server);
    test_slow_lines();
    test_many_connections();
    test_accepting();
    connections_release(&connections);
    event_base_free(base);
    server_release(&server);
    return check_end("test_fair_turns");
}
