/*
 * Connections: sockets with their buffers and sessions. Complete lines go to the session, a limited
 * number in each turn of the loop. Output is gathered and written when the loop says so. The limits
 * on what a peer can make the server hold are enforced here.
 *
 * Called by the loop and the listeners only; uses libevent.
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
    struct connection_list due;     /* to be handled, closed or freed */
    struct connection_list outputs; /* with output of this turn */
};

void connections_init(struct connections *connections, struct event_base *base,
                      struct server *server);

struct ssl_ctx_st;

/* Opens a session on a socket and takes both the socket and its reference to the origin. With a
 * certificate, which is borrowed, the connection uses TLS. */
void connections_open(struct connections *connections, evutil_socket_t fd, struct origin *origin,
                      struct ssl_ctx_st *certificate);

bool connections_empty(const struct connections *connections);

/* Returns whether connections_work() has anything to do: then the loop must not wait. */
bool connections_have_work(const struct connections *connections);

/* Handles the connections that are due now. Those that become due meanwhile wait for the next
 * call. */
void connections_work(struct connections *connections);

/* Hands new output to the kernel. */
void connections_write(struct connections *connections);

/* Ends connections whose time to read their last lines is over, and those that have too much output
 * unread for too long. Called every second. */
void connections_tick(struct connections *connections);

/* Returns the bytes of output that wait in all connections. */
size_t connections_pending_bytes(const struct connections *connections);

/* Closes and frees all connections and their sessions. */
void connections_release(struct connections *connections);

#endif
