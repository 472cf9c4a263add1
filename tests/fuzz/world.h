/*
 * A server without sockets, and four peers, as the fuzz target of commands drives it: lines go in,
 * time passes, and what each peer was told is kept until it is looked at. Random numbers are the
 * same in every world. The server may have a store, which is removed at the end.
 */
#ifndef LUDUS_WORLD_H
#define LUDUS_WORLD_H

#include "server/server.h"
#include "server/session.h"
#include "server/store.h"

enum { WORLD_PEERS = 4, WORLD_START_MS = 1000, WORLD_START_S = 1767225600 /* 2026-01-01 */ };

struct peer {
    char letter;             /* a, b, c or d */
    struct session *session; /* NULL: not connected */
    char *output;            /* owned; what it was told since it was looked at last */
    size_t length, capacity;
    bool closed;                /* the server wants the connection to end */
    char token[TOKEN_TEXT_MAX]; /* that it was given last; "" for none */
    char match[TABLE_ID_MAX];   /* that it was told of last */
    bool texts;                 /* some of the output may be in text format */
};

struct world {
    struct server *server; /* owned */
    struct peer peers[WORLD_PEERS];
    struct store *store; /* owned; NULL: none */
    char folder[64];     /* of the store */
    bool disk_full;      /* nothing can be written */
    int64_t room_ms;     /* since when everything can */
    time_t start_s;      /* the calendar time when the monotonic clock stood at WORLD_START_MS */
};

void world_init(struct world *world, bool stored);
/* Everyone leaves, and all is freed. */
void world_release(struct world *world);

/* The peer connects. False, with nothing done, when the server refuses. */
bool world_connect(struct world *world, struct peer *peer);
/* Its connection ends. */
void world_leave(struct world *world, struct peer *peer);

/* The peer, which is connected, sends a line without its end, of any length. False, with nothing
 * done, when that has to wait for world_end_turn(). */
bool world_send(struct world *world, struct peer *peer, const char *line, size_t length);
/* What was sent is written to the store, and answered. */
void world_end_turn(struct world *world);

/* The server ends, in good order or not, and is started again. Nobody is connected any more. Only
 * with a store. */
void world_restart(struct world *world, bool in_order);
/* From now on nothing can be written to the store, or everything. */
void world_fill_disk(struct world *world, bool full);

/* Whether what could not be written may not have been tried again yet. */
bool world_is_late(const struct world *world);

/* Time passes, and what is due happens at its time. */
void world_wait(struct world *world, int64_t ms);
/* What is due now happens. */
void world_settle(struct world *world);

/* Sets the join code ("code"), adds a house bot ("bots"), or sets a limit. Other names mean
 * nothing. The house bots are let in by the token `secret`, each once, and again after this. */
void world_set(struct world *world, const char *name, const char *value);

#endif
