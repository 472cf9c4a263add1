/* Pairs the seeks that wait (seek.h), once a turn of the loop. */
#ifndef LUDUS_SEEKING_H
#define LUDUS_SEEKING_H

#include "server/play/server.h"

/* Looks for partners for all seeks that have begun to wait, the oldest first, and opens the
 * matches. A seek whose match cannot be opened is looked at again after seeks_unblock(). */
void seeking_pair(struct server *server);

/* Another server has paired a seek of this one in this match: tells the player, unless that is
 * known here. */
void seeking_take(struct server *server, int64_t number, const struct table *table);

#endif
