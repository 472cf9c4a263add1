/*
 * Runs tournaments: starts them when it is time, pairs their rounds, opens the matches, and ends
 * them. Results come in as matches end (conclude()). Every step is a unit of its own, and the next
 * one follows from what is kept, so a server that was killed goes on where it was and pairs nobody
 * twice.
 */
#ifndef LUDUS_TOURNAMENTS_H
#define LUDUS_TOURNAMENTS_H

#include "server.h"

/* Does what has become possible. Call it at the end of the loop's turn, once what was ready is
 * settled. */
void tournament_run(struct server *server);

/* Waits for what a thread is pairing, if any, and drops it. */
void tournament_drop_pairing(struct server *server);

/* A thread has paired a tournament, and the next one can be paired. */
void tournament_wake(struct server *server);

/* Looks for what time and players who come or go have made possible. Called every second. */
void tournament_tick(struct server *server);

#endif
