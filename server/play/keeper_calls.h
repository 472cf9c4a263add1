/*
 * Takes what the keeper tells the server: batches that are settled, answers to look-ups, and, from
 * a keeper that many servers share, what the others do.
 */
#ifndef LUDUS_KEEPER_CALLS_H
#define LUDUS_KEEPER_CALLS_H

#include "server.h"

/* Has everything kept by this keeper from now on, which it borrows. */
void server_set_keeper(struct server *server, struct keeper *keeper);

#endif
