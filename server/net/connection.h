/*
 * Connections: streams with their sessions. A visitor becomes a session when its first line tells
 * how it speaks; then complete messages go to the session, a limited number in each turn of the
 * loop. The limits on what a peer can make the server hold are enforced here and in stream.h.
 *
 * Called by the loop and the listeners only; uses libevent.
 */
#ifndef LUDUS_CONNECTION_H
#define LUDUS_CONNECTION_H

#include <event2/event.h>
#include <stdbool.h>
#include <sys/queue.h>

#include "stream.h"

struct connection;
struct ssl_ctx_st;
struct web_names;

struct connections {
    struct streams streams;                          /* first */
    const struct web_names *names;                   /* borrowed; NULL: HTTP is not spoken */
    TAILQ_HEAD(stranger_list, connection) strangers; /* not greeted yet, the first one first */
    struct event *greeting;                          /* fires when it is to be greeted */
};

void connections_init(struct connections *connections, struct event_base *base,
                      struct server *server);

/* Begins to serve a socket and takes both the socket and its reference to the origin. With a
 * certificate, which is borrowed, the connection uses TLS. */
void connections_open(struct connections *connections, evutil_socket_t fd, struct origin *origin,
                      struct ssl_ctx_st *certificate);

/* Ends a connection that nobody would miss much, for one from `origin`: one that has not said hello
 * and is in no match, from a network that has more. False: it has found none. */
bool connections_make_room(struct connections *connections, const struct origin *origin);

bool connections_empty(const struct connections *connections);

/* Returns whether connections_work() has anything to do: then the loop must not wait. */
bool connections_have_work(const struct connections *connections);

/* Handles the connections that are due now. Those that become due meanwhile wait for the next
 * call. */
void connections_work(struct connections *connections);

/* Hands new output to the kernel. */
void connections_write(struct connections *connections);

/* Ends connections whose time to read their last lines is over, those that have too much output
 * unread for too long, and visitors that take too long. Called every second. */
void connections_tick(struct connections *connections);

/* Ends all that have no session: the server stops. */
void connections_stop(struct connections *connections);

/* Returns the bytes of output that wait in all connections. */
size_t connections_pending_bytes(const struct connections *connections);

/* Closes and frees all connections and their sessions. */
void connections_release(struct connections *connections);

#endif
