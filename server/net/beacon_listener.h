/*
 * The server's side of the beacon (common/beacon.h), by which `ludus join` finds the server:
 * receives questions on every network of this machine, including those that come up later, and
 * answers the peers that are on them. Uses libevent.
 */
#ifndef LUDUS_BEACON_LISTENER_H
#define LUDUS_BEACON_LISTENER_H

#include "loop.h"

struct beacon_listener;

/* Answers for a server that listens on those addresses and is borrowed. NULL, with a line in the
 * log, if other machines cannot reach them or the system refuses. */
struct beacon_listener *beacon_listener_open(struct loop *loop,
                                             const struct listen_addresses *addresses,
                                             struct server *server);

/* Stops answering. Call it before loop_free(). NULL is allowed. */
void beacon_listener_close(struct beacon_listener *listener);

#endif
