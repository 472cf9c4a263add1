/* Pairs the seeks that wait (seek.h), once a turn of the loop. */
#ifndef LUDUS_SEEKING_H
#define LUDUS_SEEKING_H

#include "server/play/server.h"

/* Looks for partners for all seeks that have begun to wait, the oldest first, and opens the
 * matches. A seek whose match cannot be opened is looked at again after seeks_unblock(). */
void seeking_pair(struct server *server);

#endif
