/*
 * Takes in what other servers do that share the keeper and with it the lobby, and tells players
 * here of it. answers.c passes on what the keeper tells.
 */
#ifndef LUDUS_CLUSTER_H
#define LUDUS_CLUSTER_H

#include "relay.h"

/* The servers that are alive have changed: tells everyone. Whoever was connected to one that is
 * dead is gone. */
void cluster_set_nodes(struct server *server, const struct nodes *nodes);

/* A match has come into the lobby that may be of interest to players here. */
void cluster_loaded(struct server *server, struct table *table);

/* Another server tells a line of relay.h, about a match or about none. */
void cluster_told(struct server *server, struct table *table, const char *line);

/* Another server tells where a player is, unless more is known here. */
void cluster_meet(struct server *server, struct player *player, const struct presence_news *news);

/* A player who was connected here goes on at another server, player->node. */
void cluster_replaced(struct server *server, struct player *player);

/* This server counts as dead: others go on with its matches. Everyone leaves for them. */
void cluster_lost(struct server *server);

#endif
