/*
 * With --lan: tells of the server on the network, by the beacon and by DNS-SD, so that `ludus join`
 * finds it. What of that is not possible is left out, and logged.
 */
#ifndef LUDUS_LAN_H
#define LUDUS_LAN_H

#include "loop.h"
#include "places.h"

struct lan;

/* Begins, for a server that listens at those places. NULL when the server cannot be reached from
 * the network, or memory ran out. */
struct lan *lan_open(struct loop *loop, const struct places *places, const struct server *server);

/* Ends it: before the loop is freed. NULL is allowed. */
void lan_close(struct lan *lan);

#endif
