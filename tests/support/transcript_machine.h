/*
 * The machine that the server of a transcript runs on: its clocks, what the server is kept in, and
 * the peers that are connected to it. The server can end there and start again.
 */
#ifndef LUDUS_TRANSCRIPT_MACHINE_H
#define LUDUS_TRANSCRIPT_MACHINE_H

#include "keeper_fake.h"
#include "server/play/server.h"
#include "transcript_peer.h"

/* The ways to keep what the server knows; the shared ones answer late (keeper_fake.h). */
enum keeping { IN_MEMORY, SHARED_IN_MEMORY, STORED, SHARED_STORED, ON_ENGINE };

enum { PEERS_MAX = 128 };

struct machine {
    struct server *server; /* owned */
    enum keeping keeping;
    const char *place;       /* the folder of the store, or the conninfo of the engine; borrowed */
    struct keeper *store;    /* NULL: none */
    struct keeper memory;    /* used without a store */
    struct keeper_fake fake; /* in front of either, for a shared keeper */
    time_t start_s;          /* the calendar time when the monotonic clock began */
    struct peer peers[PEERS_MAX];
    int peer_count;
};

/* Starts a server, with what is kept at a place that outlives the machine. False with the cause
 * when that cannot be read; the server runs nevertheless. */
bool machine_begin(struct machine *machine, enum keeping keeping, const char *place,
                   struct cause *cause);

/* Stops the server, disconnects all peers, and removes the store. */
void machine_end(struct machine *machine);

/* Ends the turn with all its consequences. */
void machine_end_turn(struct machine *machine);

/* Lets time pass, stopping at each deadline on the way. */
void machine_pass_time(struct machine *machine, int64_t ms);

/* Kills the server, or stops it in order, which disconnects all peers, and starts it again ten
 * seconds later. False with the cause, as without a store. */
bool machine_restart(struct machine *machine, bool in_order, struct cause *cause);

/* Stops the server, and starts it again after the machine has been off for some days. */
bool machine_turn_off(struct machine *machine, long days, struct cause *cause);

/* Makes all writes to files fail, or not. The caller ignores SIGXFSZ. */
void machine_fill_disk(bool full);

/* Ends a peer's session, if it has one, and the turn. */
void machine_disconnect(struct machine *machine, struct peer *peer);

#endif
