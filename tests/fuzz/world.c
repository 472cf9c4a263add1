#include "world.h"

#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/message.h"
#include "common/text.h"
#include "full_disk.h"
#include "fuzz.h"
#include "server/base/log.h"
#include "server/keep/store.h"
#include "server/net/peer.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "server/play/rate_limit.h"
#include "test_limits.h"

static struct dice randomness;

static const char *random_name(void)
{
    return "the same every time";
}

static uint32_t random_word(void)
{
    return dice_throw(&randomness, 1u << 31);
}

static void random_bytes(void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)bytes)[i] = (uint8_t)dice_throw(&randomness, 256);
}

static void use_no_randomness(void)
{
    static randombytes_implementation implementation = {
        .implementation_name = random_name, .random = random_word, .buf = random_bytes};

    randomness.state = 1;
    randombytes_set_implementation(&implementation);
}

static void start_server(struct world *world, int64_t now_ms)
{
    struct server *server = world->server;
    struct limits limits = test_limits;
    struct cause cause = {""};

    /* Limits that are reached soon. */
    limits.matches = 8;
    limits.finished = 6;
    limits.unfinished = 20;
    limits.chat_bytes = 500;
    limits.drain_s = 3;
    server_init(server, &limits);
    server->now_ms = server->started_ms = now_ms;
    server->wall_s = server->started_s = world->start_s + (now_ms - WORLD_START_MS) / 1000;
    if (world->keeper != NULL)
        REQUIRE(server_take_up(server, world->keeper, &cause), "the store: %s", cause.text);
}

static void open_store(struct world *world)
{
    struct cause cause = {""};

    snprintf(world->folder, sizeof world->folder, "/tmp/ludus-fuzz-XXXXXX");
    if (mkdtemp(world->folder) == NULL)
        abort();
    struct store *store = store_open(world->folder, DURABILITY_PROCESS, NULL, &cause);
    REQUIRE(store != NULL, "no store: %s", cause.text);
    world->keeper = keeper_sqlite(store);
}

static void remove_store(struct world *world)
{
    static const char *const names[] = {"ludus.db", "ludus.db-wal"};
    char path[sizeof world->folder + 32];

    world->keeper->kind->close(world->keeper);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", world->folder, names[i]);
        unlink(path);
    }
    rmdir(world->folder);
}

void world_init(struct world *world, bool stored)
{
    use_no_randomness();
    log_set_level(LOG_LEVELS); /* nothing */
    memset(world, 0, sizeof *world);
    world->start_s = WORLD_START_S;
    for (int i = 0; i < WORLD_PEERS; i++)
        world->peers[i].letter = (char)('a' + i);
    world->server = malloc(sizeof *world->server);
    if (world->server == NULL)
        abort();
    if (stored)
        open_store(world);
    start_server(world, WORLD_START_MS);
}

void world_release(struct world *world)
{
    world_fill_disk(world, false);
    server_shutdown(world->server);
    for (int i = 0; i < WORLD_PEERS; i++) {
        world_leave(world, &world->peers[i]);
        free(world->peers[i].output);
    }
    server_release(world->server);
    free(world->server);
    if (world->keeper != NULL)
        remove_store(world);
}

void world_restart(struct world *world, bool in_order)
{
    struct server *server = world->server;
    int64_t now_ms = server->now_ms + 10000;

    if (!in_order)
        server->keeper = &server->memory; /* later changes are not stored */
    server_shutdown(server);
    for (int i = 0; i < WORLD_PEERS; i++) {
        world_leave(world, &world->peers[i]);
        world->peers[i].length = 0;
    }
    server_release(server);
    start_server(world, now_ms);
}

void world_fill_disk(struct world *world, bool full)
{
    full_disk_set(full);
    world->disk_full = full;
    world->room_ms = world->server != NULL ? world->server->now_ms : 0;
}

bool world_is_late(const struct world *world)
{
    const int64_t retry_ms = 1000; /* as in due.c */

    return world->disk_full || world->server->now_ms < world->room_ms + retry_ms;
}

/* Shows the conversation if TRACE is set in the environment. */
static void trace(const struct peer *peer, const char *sign, const char *text, size_t length)
{
    if (getenv("TRACE") != NULL)
        fprintf(stderr, "%c%s %.*s%s", peer->letter, sign, (int)length, text,
                length > 0 && text[length - 1] == '\n' ? "" : "\n");
}

static void peer_write(void *context, const char *bytes, size_t length)
{
    struct peer *peer = context;

    trace(peer, "<", bytes, length);
    REQUIRE(!peer->closed, "something is told after the end");
    if (length == 0)
        return; /* in text format only the state answers a move */
    REQUIRE(bytes[length - 1] == '\n', "no whole line is told");
    if (peer->length + length > peer->capacity) {
        peer->capacity = 2 * (peer->length + length);
        peer->output = realloc(peer->output, peer->capacity);
        if (peer->output == NULL)
            abort();
    }
    memcpy(peer->output + peer->length, bytes, length);
    peer->length += length;
}

static void peer_close(void *context)
{
    struct peer *peer = context;

    REQUIRE(!peer->closed, "it is closed twice");
    peer->closed = true;
}

/* The first two peers connect from this machine, the others from one address of the network. */
static struct origin *origin_of(struct world *world, const struct peer *peer)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a000001)};
    struct sockaddr_in none = {.sin_family = AF_UNSPEC};

    if (peer - world->peers < WORLD_PEERS / 2)
        return NULL;
    struct origin_key key = address_key((struct sockaddr *)&address, (struct sockaddr *)&none);
    struct origin *origin = origins_enter(&world->server->origins, &key);
    if (origin == NULL)
        abort();
    return origin;
}

bool world_connect(struct world *world, struct peer *peer)
{
    struct server *server = world->server;
    struct origin *origin = origin_of(world, peer);

    REQUIRE(peer->session == NULL, "it is connected");
    if (origin != NULL && (rate_limit_is_full(server) || !rate_limit_may_connect(server, origin))) {
        origins_leave(&server->origins, origin);
        return false;
    }
    peer->closed = peer->texts = false;
    const struct sink sink = {.context = peer, .write = peer_write, .close = peer_close};
    peer->session = presence_open(server, sink, origin);
    server_end_turn(server);
    return true;
}

void world_leave(struct world *world, struct peer *peer)
{
    if (peer->session == NULL)
        return;
    presence_free(peer->session);
    peer->session = NULL;
    peer->closed = true;
    server_end_turn(world->server);
}

bool world_send(struct world *world, struct peer *peer, const char *line, size_t length)
{
    (void)world;
    trace(peer, ">", line, length);
    peer->texts = peer->texts || peer->session->text;
    bool handled = length >= LINE_BYTES_MAX ? dispatch_too_long(peer->session)
                                            : dispatch_line(peer->session, line, length);
    peer->texts = peer->texts || peer->session->text;
    return handled;
}

void world_end_turn(struct world *world)
{
    server_end_turn(world->server);
    REQUIRE(world->server->ready.count == 0 && world->server->keeping == NULL,
            "something is not settled");
}

static void set_now(struct world *world, int64_t now_ms)
{
    world->server->now_ms = now_ms;
    world->server->wall_s = world->start_s + (now_ms - WORLD_START_MS) / 1000;
}

void world_wait(struct world *world, int64_t ms)
{
    struct server *server = world->server;
    int64_t until_ms = server->now_ms + ms, next_ms;

    while ((next_ms = server_next_deadline_ms(server)) >= 0 && next_ms <= until_ms) {
        if (next_ms > server->now_ms)
            set_now(world, next_ms);
        server_run_deadlines(server);
        server_end_turn(server);
    }
    set_now(world, until_ms);
    server_tick(server);
    server_end_turn(server);
}

void world_settle(struct world *world)
{
    server_run_deadlines(world->server);
    players_trim(&world->server->players); /* otherwise the next hello does it */
    server_end_turn(world->server);
}

static int *find_limit(struct limits *limits, const char *name)
{
    const struct {
        const char *name;
        int *value;
    } rows[] = {{"errors", &limits->errors},
                {"idle", &limits->idle_s},
                {"matches", &limits->matches},
                {"grace", &limits->grace_s},
                {"abandon", &limits->abandon_days},
                {"bot-stall", &limits->bot_stall_s},
                {"first-move", &limits->first_move_s},
                {"unfinished", &limits->unfinished},
                {"watchers", &limits->watchers},
                {"rate", &limits->rate},
                {"chat", &limits->chat_bytes},
                {"chat-rate", &limits->chat_rate},
                {"address-connections", &limits->address_connections},
                {"address-rate", &limits->address_rate},
                {"address-names", &limits->address_names},
                {"address-matches", &limits->address_matches},
                {"finished", &limits->finished},
                {"names", &limits->names}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].value;
    return NULL;
}

/* Starts no program: one of the peers may claim to be the bot. */
static void add_house_bot(struct server *server, const char *level)
{
    struct house_bots *house = &server->house;

    house_bots_add_levels(house, level);
    server_add_levels(server);
    for (int i = 0; i < house->count; i++)
        snprintf(house->bots[i].secret, sizeof house->bots[i].secret, "secret");
}

void world_set(struct world *world, const char *name, const char *value)
{
    struct server *server = world->server;
    struct limits limits = server->limits;
    int *limit = find_limit(&limits, name);
    long number;

    if (strcmp(name, "code") == 0) {
        snprintf(server->code, sizeof server->code, "%s", value);
    } else if (strcmp(name, "bots") == 0) {
        add_house_bot(server, value);
    } else if (limit != NULL && number_parse(value, strlen(value), 1, 1000, &number)) {
        *limit = (int)number;
        server_set_limits(server, &limits);
    }
    server_end_turn(server);
}
