/*
 * The server's side of the beacon (common/beacon.h): hears the questions on every network of this
 * machine, also on those that come up later, and answers the ones that come from there, so that
 * `ludus join` finds the server. It knows libevent.
 */
#ifndef LUDUS_BEACON_LISTENER_H
#define LUDUS_BEACON_LISTENER_H

#include "listen_addresses.h"
#include "loop.h"

struct beacon_listener;

/* Answers for a server that listens at those places. NULL, with a line in the log, if other
 * machines cannot reach it there or the system refuses. */
struct beacon_listener *beacon_listener_open(struct loop *loop,
                                             const struct listen_addresses *addresses,
                                             const struct server *server);

/* Stops answering. Call it before loop_free(). NULL is allowed. */
void beacon_listener_close(struct beacon_listener *listener);

#endif
