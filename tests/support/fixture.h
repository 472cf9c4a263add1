/*
 * A server without sockets for tests, and peers that talk to it line by line. The test decides when
 * a turn of the loop ends, and when a shared keeper answers.
 */
#ifndef LUDUS_FIXTURE_H
#define LUDUS_FIXTURE_H

#include "keeper_fake.h"
#include "server/play/server.h"

struct fixture {
    struct server server;
    bool shared;
    struct keeper *keeper;   /* the server's */
    struct keeper_fake fake; /* shared only */
    struct keeper memory;    /* what the fake passes its units to */
    char folder[32];         /* of the store; not shared only */
};

/* Starts a server with a store in a new directory, or with a shared keeper that answers late. */
void fixture_begin(struct fixture *fixture, const struct limits *limits, bool shared);

/* Ends the turn, and lets a shared keeper answer everything. */
void fixture_settle(struct fixture *fixture);

/* Reads into `other`, an unused server, what a restarted server would find in the store. The caller
 * ends it with server_release(). */
void fixture_restart(struct fixture *fixture, struct server *other);

/* Ends the server and all sessions that are left, and removes the store. */
void fixture_end(struct fixture *fixture);

enum { PEER_OUTPUT_MAX = 1 << 18 };

struct peer {
    struct session *session;
    char output[PEER_OUTPUT_MAX]; /* since skip(); the program ends when more comes */
    size_t length;
    int closed; /* number of requests to close it */
    bool woken;
};

/* Connects as a new guest. */
void open_peer(struct server *server, struct peer *peer);

/* Sends a line. False when it has to sleep. */
bool say(struct peer *peer, const char *line);

/* Drops the peer's output so far, and whether it was woken. */
void skip(struct peer *peer);

/* Returns how often the text occurs in the peer's output since skip(). */
int count(const struct peer *peer, const char *text);

#endif
