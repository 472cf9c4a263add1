/* Turns of the loop: connections of one address share its time in each, one after the other. */
#include <arpa/inet.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "server/net/connection.h"
#include "server/net/peer.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "test_limits.h"

enum { PEERS = 3, SLOW_LINES = 6, BUSY_US = 2000 /* more than an address has of a turn */ };

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

static const struct command slow_commands[] = {
    {.verb = "slow", .summary = "", .min = 1, .max = 1, .run = run_slow}, {0}};

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
    event_base_loop(base, EVLOOP_NONBLOCK);
    server_end_turn(&server);
    server.turn++;
    connections_work(&connections);
    server_end_turn(&server);
    connections_write(&connections);
}

int main(void)
{
    static const struct command *const commands[] = {slow_commands, NULL};
    static const char *const addresses[PEERS] = {"192.0.2.1", "192.0.2.1", "192.0.2.1"};
    int peers[PEERS];

    limits = test_limits;
    server_init(&server, &limits);
    server.commands = commands;
    base = event_base_new();
    connections_init(&connections, base, &server);
    for (int i = 0; i < PEERS; i++)
        peers[i] = open_socket(addresses[i]);

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

    for (int i = 0; i < PEERS; i++)
        close(peers[i]);
    connections_release(&connections);
    event_base_free(base);
    server_release(&server);
    return check_end("test_fair_turns");
}
