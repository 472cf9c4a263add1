#include "transcript_machine.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "check.h"
#include "common/xmalloc.h"
#include "server/keep/postgres/postgres.h"
#include "server/keep/store.h"
#include "server/play/lifecycle.h"
#include "test_limits.h"

enum {
    START_MS = 1000,
    START_S = 1767225600, /* 2026-01-01T00:00:00Z */
    ENGINE_WAIT_MS = 20,
    ENGINE_WAITS = 500
};

/* Waits briefly for the engine, and takes what it answers. */
static void work(struct machine *machine)
{
    const struct keeper_kind *kind = machine->store->kind;
    struct pollfd descriptor = {.fd = kind->descriptor(machine->store), .events = POLLIN};

    poll(&descriptor, 1, ENGINE_WAIT_MS);
    kind->work(machine->store, machine->server->now_ms);
}

/* Lets the engine answer all that it was asked. Returns whether it was asked anything. */
static bool hear_engine(struct machine *machine)
{
    const struct postgres *postgres = (const struct postgres *)machine->store;
    bool asked = postgres_is_busy(postgres);

    for (int waits = 0; postgres_is_busy(postgres) && waits < ENGINE_WAITS; waits++)
        work(machine);
    return asked;
}

/* Lets the server find the other servers now, so that it tells nobody later. */
static void find_nodes(struct machine *machine)
{
    server_tick(machine->server);
    for (int waits = 0; machine->server->nodes.count == 0 && waits < ENGINE_WAITS; waits++)
        work(machine);
}

void machine_end_turn(struct machine *machine)
{
    bool goes_on = true;

    while (goes_on) {
        server_end_turn(machine->server);
        goes_on = machine->fake.inner != NULL && keeper_fake_answer(&machine->fake);
        if (machine->keeping == ON_ENGINE)
            goes_on = hear_engine(machine);
        for (int i = 0; i < machine->peer_count; i++)
            goes_on = peer_resume(&machine->peers[i]) || goes_on;
    }
}

static void set_now(struct machine *machine, int64_t now_ms)
{
    machine->server->now_ms = now_ms;
    machine->server->wall_s = machine->start_s + (now_ms - START_MS) / 1000;
}

void machine_pass_time(struct machine *machine, int64_t ms)
{
    struct server *server = machine->server;
    int64_t until_ms = server->now_ms + ms, next_ms;

    while ((next_ms = server_next_deadline_ms(server)) >= 0 && next_ms <= until_ms) {
        if (next_ms > server->now_ms)
            set_now(machine, next_ms);
        server_run_deadlines(server);
        machine_end_turn(machine);
    }
    set_now(machine, until_ms);
    server_tick(server);
    machine_end_turn(machine);
}

void machine_disconnect(struct machine *machine, struct peer *peer)
{
    peer_leave(peer);
    machine_end_turn(machine);
}

static void disconnect_all(struct machine *machine)
{
    for (int i = 0; i < machine->peer_count; i++)
        machine_disconnect(machine, &machine->peers[i]);
}

/* Starts the server, with what is kept, if anything is. */
static bool start_server(struct machine *machine, int64_t now_ms, time_t wall_s,
                         struct cause *cause)
{
    struct keeper *keeper = machine->store;

    machine->start_s = wall_s - (now_ms - START_MS) / 1000;
    server_init(machine->server, &test_limits);
    set_now(machine, now_ms);
    machine->server->started_ms = now_ms;
    if (machine->keeping == SHARED_IN_MEMORY || machine->keeping == SHARED_STORED) {
        machine->memory = keeper_none();
        keeper_fake_init(&machine->fake, keeper != NULL ? keeper : &machine->memory);
        machine->fake.stale_at_first = true;
        keeper = &machine->fake.keeper;
    }
    bool taken_up = keeper == NULL || server_take_up(machine->server, keeper, cause);
    machine_end_turn(machine);
    if (machine->keeping == ON_ENGINE)
        find_nodes(machine);
    return taken_up;
}

/* Opens the store or the engine. False with the cause. */
static bool open_store(struct machine *machine, struct cause *cause)
{
    if (machine->keeping == ON_ENGINE) {
        machine->store = keeper_postgres(
            machine->place, &(struct node){.id = 1, .address = "127.0.0.1:1"}, 5, cause);
        return machine->store != NULL;
    }
    if (machine->keeping == IN_MEMORY || machine->keeping == SHARED_IN_MEMORY)
        return true;
    struct store *store = store_open(machine->place, DURABILITY_PROCESS, NULL, cause);
    machine->store = store != NULL ? keeper_sqlite(store) : NULL;
    return store != NULL;
}

bool machine_begin(struct machine *machine, enum keeping keeping, const char *place,
                   struct cause *cause)
{
    memset(machine, 0, sizeof *machine);
    machine->keeping = keeping;
    machine->place = place;
    machine->server = xmalloc(sizeof *machine->server);
    bool opened = open_store(machine, cause);
    return start_server(machine, START_MS, START_S, cause) && opened;
}

/* Ends the server and starts it again at that time. */
static bool start_again(struct machine *machine, bool in_order, int64_t now_ms, time_t wall_s,
                        struct cause *cause)
{
    struct server *server = machine->server;

    if (machine->store == NULL) {
        snprintf(cause->text, sizeof cause->text, "without a store the server cannot start again");
        return false;
    }
    if (!in_order)
        server->keeper = &server->memory; /* later changes are not stored */
    server_shutdown(server);
    for (int i = 0; i < machine->peer_count; i++)
        peer_drop_output(&machine->peers[i]);
    disconnect_all(machine);
    server_release(server);
    return start_server(machine, now_ms, wall_s, cause);
}

bool machine_restart(struct machine *machine, bool in_order, struct cause *cause)
{
    const struct server *server = machine->server;

    return start_again(machine, in_order, server->now_ms + 10000, server->wall_s + 10, cause);
}

bool machine_turn_off(struct machine *machine, long days, struct cause *cause)
{
    return start_again(machine, true, START_MS, machine->server->wall_s + days * 86400, cause);
}

/* Limits the size of files to zero. */
void machine_fill_disk(bool full)
{
    struct rlimit limit;

    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = full ? 0 : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

static void remove_store(const char *folder)
{
    static const char *const names[] = {"ludus.db", "ludus.db-wal", "archive/2026-01.pgn",
                                        "archive/2026-02.pgn", "archive"};
    char path[96];

    for (size_t i = 0; i < LENGTH(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
}

void machine_end(struct machine *machine)
{
    server_shutdown(machine->server); /* so that nothing more is sent while they leave */
    disconnect_all(machine);
    for (int i = 0; i < machine->peer_count; i++)
        buffer_release(&machine->peers[i].got);
    server_release(machine->server);
    free(machine->server);
    if (machine->store == NULL)
        return;
    machine->store->kind->close(machine->store);
    if (machine->keeping != ON_ENGINE)
        remove_store(machine->place);
}
