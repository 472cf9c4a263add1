/*
 * Connections: each a socket with its buffers and a session. Whole lines go to the session, in
 * portions that leave the others their turn; what the session writes is gathered and handed to the
 * system when the loop says so. Every limit on what a peer may make the server hold is kept here.
 *
 * The loop owns the set and calls it; nothing else does. Together with loop.c and listener.c this
 * is what knows libevent.
 */
#ifndef LUDUS_CONNECTION_H
#define LUDUS_CONNECTION_H

#include <event2/event.h>
#include <stdbool.h>
#include <sys/queue.h>

#include "server/play/server.h"

struct connection;
TAILQ_HEAD(connection_list, connection);

struct connections {
    struct event_base *base; /* borrowed, as is the server */
    struct server *server;
    struct connection_list all;     /* owned */
    struct connection_list due;     /* those with more lines to handle, to be closed or freed */
    struct connection_list outputs; /* those with output of this turn */
};

void connections_init(struct connections *connections, struct event_base *base,
                      struct server *server);

struct ssl_ctx_st;

/* Begins a session on a socket, and takes the socket and its place in the origin. With a
 * certificate (certificate.h) all goes through TLS, without (NULL) in the clear. False, with both
 * still the caller's, when TLS cannot begin. */
bool connections_open(struct connections *connections, evutil_socket_t fd, struct origin *origin,
                      struct ssl_ctx_st *certificate);

bool connections_empty(const struct connections *connections);

/* Whether connections_work() has anything to do: then the loop must not wait. */
bool connections_have_work(const struct connections *connections);

/* Looks at the connections that were due when it began; what they cause is for the next time. */
void connections_work(struct connections *connections);

/* Hands the system what was written since the last time. */
void connections_write(struct connections *connections);

/* Cuts those who have not read their last lines in time, and closes those who leave too much unread
 * for too long. Called every second. */
void connections_tick(struct connections *connections);

/* The output of all that has not been read yet. */
size_t connections_pending_bytes(const struct connections *connections);

/* Closes and frees all of them and their sessions. */
void connections_release(struct connections *connections);

#endif
