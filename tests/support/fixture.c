#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "server/keep/store.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"

static struct keeper *open_store(struct fixture *fixture)
{
    struct cause cause;

    snprintf(fixture->folder, sizeof fixture->folder, "/tmp/ludus-test-XXXXXX");
    if (mkdtemp(fixture->folder) == NULL)
        abort();
    struct store *store = store_open(fixture->folder, DURABILITY_PROCESS, NULL, &cause);
    if (store == NULL)
        abort();
    return keeper_sqlite(store);
}

void fixture_begin(struct fixture *fixture, const struct limits *limits, bool shared)
{
    struct server *server = &fixture->server;
    struct cause cause;

    fixture->shared = shared;
    fixture->memory = keeper_none();
    keeper_fake_init(&fixture->fake, &fixture->memory);
    fixture->keeper = shared ? &fixture->fake.keeper : open_store(fixture);
    server_init(server, limits);
    server->now_ms = 1000000;
    server->started_ms = 1000;
    server->wall_s = 1700000000;
    CHECK_THAT(server_take_up(server, fixture->keeper, &cause), "%s", cause.text);
}

void fixture_settle(struct fixture *fixture)
{
    do
        server_end_turn(&fixture->server);
    while (fixture->shared && keeper_fake_answer(&fixture->fake));
}

void fixture_restart(struct fixture *fixture, struct server *other)
{
    struct cause cause;

    server_init(other, &fixture->server.limits);
    CHECK_THAT(fixture->keeper->kind->load(fixture->keeper, &other->players, &other->lobby,
                                           fixture->server.now_ms, &cause),
               "%s", cause.text);
}

void fixture_end(struct fixture *fixture)
{
    struct server *server = &fixture->server;
    char path[64];

    server_shutdown(server);
    while (!TAILQ_EMPTY(&server->sessions))
        presence_free(TAILQ_FIRST(&server->sessions));
    fixture_settle(fixture);
    server_release(server);
    if (fixture->shared)
        return;
    fixture->keeper->kind->close(fixture->keeper);
    snprintf(path, sizeof path, "%s/ludus.db", fixture->folder);
    unlink(path);
    rmdir(fixture->folder);
}

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

static void peer_wake(void *context)
{
    ((struct peer *)context)->woken = true;
}

void open_peer(struct server *server, struct peer *peer)
{
    skip(peer);
    peer->closed = 0;
    peer->session = presence_open(
        server, (struct sink){peer, peer_write, peer_close, peer_wake, NULL, NULL}, NULL);
}

bool say(struct peer *peer, const char *line)
{
    return dispatch_line(peer->session, line, strlen(line));
}

void skip(struct peer *peer)
{
    peer->length = 0;
    peer->output[0] = '\0';
    peer->woken = false;
}

int count(const struct peer *peer, const char *text)
{
    int found = 0;

    for (const char *at = peer->output; (at = strstr(at, text)) != NULL; at++)
        found++;
    return found;
}
