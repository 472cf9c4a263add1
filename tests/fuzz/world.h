/*
 * A server in memory with four peers, as the fuzz target of commands drives it: lines go in, time
 * passes, and what each peer was told is kept until it is looked at. Random numbers are the same
 * in every world.
 */
#ifndef LUDUS_WORLD_H
#define LUDUS_WORLD_H

#include "server/server.h"
#include "server/session.h"

enum { WORLD_PEERS = 4, WORLD_START_MS = 1000, WORLD_START_S = 1767225600 /* 2026-01-01 */ };

struct peer {
    struct session *session; /* NULL: not connected */
    char *output;            /* owned; what it was told since it was looked at last */
    size_t length, capacity;
    bool closed;                /* the server wants the connection to end */
    char token[TOKEN_TEXT_MAX]; /* that it was given last; "" for none */
    char match[TABLE_ID_MAX];   /* that it was told of last */
};

struct world {
    struct server *server; /* owned */
    struct peer peers[WORLD_PEERS];
};

void world_init(struct world *world);
/* Everyone leaves, and all is freed. */
void world_release(struct world *world);

/* The peer connects. False, with nothing done, when the server refuses. */
bool world_connect(struct world *world, struct peer *peer);
/* Its connection ends. */
void world_leave(struct world *world, struct peer *peer);

/* The peer, which is connected, sends a line without its end, of any length. */
void world_send(struct world *world, struct peer *peer, const char *line, size_t length);

/* Time passes, and what is due happens at its time. */
void world_wait(struct world *world, int64_t ms);
/* What is due now happens. */
void world_settle(struct world *world);

/* Sets the join code ("code"), adds a house bot ("bots"), or sets a limit. Other names mean
 * nothing. */
void world_set(struct world *world, const char *name, const char *value);

#endif
