/*
 * A conversation of several people with a server in memory, in which every command occurs: for
 * tests that have it go wrong in one way or another. While a step runs memory may run out
 * (starve.h).
 */
#ifndef LUDUS_CONVERSATION_H
#define LUDUS_CONVERSATION_H

#include <stdbool.h>
#include <stddef.h>

#include "server/server.h"
#include "server/session.h"
#include "server/store.h"

enum { PEERS_MAX = 8, TOLD_BYTES = 1 << 16 };

/* One who takes part. What is random, such as tokens and ids of private matches, is blurred in
 * what he was told. */
struct peer {
    char name[16], match[24];
    struct session *session; /* NULL: not here */
    bool closed;
    char got[TOLD_BYTES]; /* in this step */
    size_t length;
};

/* One time through the conversation. */
struct run {
    struct server *server;
    const char *folder;  /* of the store, borrowed; NULL: there is none */
    struct store *store; /* NULL: none */
    struct peer peers[PEERS_MAX];
    int peer_count;
    char token[64];
};

/* The steps, ended by NULL. */
extern const char *const conversation[];

/* Starts a server, with a new store in the folder unless that is NULL. */
void run_begin(struct run *run, const char *folder);

/* Does one step. Returns who acts, or NULL: time passes. */
struct peer *run_step(struct run *run, const char *step);

/* Ends the connections that were closed. */
void run_free_closed(struct run *run);

/* Kills the server and starts another with what the store has. */
void run_restart(struct run *run);

/* Ends the server and removes its store. */
void run_end(struct run *run);

/* All that matters of the matches, one a line; with `brief` only their moves. Borrowed until the
 * next call. */
const char *run_describe(const struct run *run, bool brief);

#endif
