/*
 * A server without sockets and four peers, for the fuzz target of commands: it takes lines, lets
 * time pass, and keeps each peer's output until it is checked. Random numbers are alike in all
 * worlds. The server may have a store, which is removed at the end.
 */
#ifndef LUDUS_WORLD_H
#define LUDUS_WORLD_H

#include "server/play/server.h"
#include "server/play/session.h"

enum { WORLD_PEERS = 4, WORLD_START_MS = 1000, WORLD_START_S = 1767225600 /* 2026-01-01 */ };

struct peer {
    char letter;             /* a, b, c or d */
    struct session *session; /* NULL: not connected */
    char *output;            /* owned; its output since the last check */
    size_t length, capacity;
    bool closed;                /* the server wants the connection to end */
    char token[TOKEN_TEXT_MAX]; /* its latest token; "" for none */
    char code[DEVICE_CODE_MAX]; /* its latest device code; "" for none */
    char match[TABLE_ID_MAX];   /* the latest match it heard of */
    bool texts;                 /* some of the output may be in text format */
};

struct world {
    struct server *server; /* owned */
    struct peer peers[WORLD_PEERS];
    struct keeper *keeper; /* owned; NULL: all is in memory */
    char folder[64];       /* of the store */
    bool disk_full;        /* all writes fail */
    int64_t room_ms;       /* the time since writes succeed */
    time_t start_s;        /* the calendar time when the monotonic clock stood at WORLD_START_MS */
};

void world_init(struct world *world, bool stored);
/* Disconnects everyone and frees all. */
void world_release(struct world *world);

/* Connects the peer. Returns false, with nothing done, when the server refuses. */
bool world_connect(struct world *world, struct peer *peer);
/* Ends the peer's connection. */
void world_leave(struct world *world, struct peer *peer);

/* Sends a line of any length, without its end, from a connected peer. Returns false, with nothing
 * done, when it has to wait for world_end_turn(). */
bool world_send(struct world *world, struct peer *peer, const char *line, size_t length);
/* Ends the turn: stores its changes and sends the answers. */
void world_end_turn(struct world *world);

/* Stops or kills the server and starts it again, which disconnects everyone. Needs a store. */
void world_restart(struct world *world, bool in_order);
/* Makes all writes to the store fail or succeed from now on. */
void world_fill_disk(struct world *world, bool full);

/* Returns whether a failed write may still wait to be retried. */
bool world_is_late(const struct world *world);

/* Lets time pass; due events happen at their times. */
void world_wait(struct world *world, int64_t ms);
/* Does everything that is due now. */
void world_settle(struct world *world);

/* Sets the join code ("code"), adds a house bot ("bots"), or sets a limit; ignores other names. The
 * token `secret` admits each house bot once, and again after each call. */
void world_set(struct world *world, const char *name, const char *value);

#endif
