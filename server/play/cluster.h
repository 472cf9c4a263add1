/*
 * Takes what the keeper tells the server: batches that are settled, answers to look-ups, and, from
 * a keeper that many servers share, what the others do. Players here are told of it.
 */
#ifndef LUDUS_CLUSTER_H
#define LUDUS_CLUSTER_H

#include "server.h"

/* Sets the keeper, which is borrowed: it stores everything from now on. */
void server_set_keeper(struct server *server, struct keeper *keeper);

#endif
