/*
 * What other servers do that share the keeper and with it the lobby, and what players here are told
 * of it. The keeper calls these.
 */
#ifndef LUDUS_CLUSTER_H
#define LUDUS_CLUSTER_H

#include "server.h"

/* The servers that are alive have changed: tells everyone. */
void cluster_set_nodes(struct server *server, const struct nodes *nodes);

/* This server counts as dead: others go on with its matches. Everyone leaves for them. */
void cluster_lost(struct server *server);

#endif
