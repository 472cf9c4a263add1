/*
 * Timeouts, forfeits, abandoned matches and seats: what happens to a match besides the players' own
 * moves and commands.
 */
#ifndef LUDUS_REFEREE_H
#define LUDUS_REFEREE_H

#include "server.h"
#include "server/model/table.h"

enum { RETRY_SOON_MS = 20 }; /* what a deadline is put off by that cannot be acted on yet */

/* Acts on the deadline of a table (due.h), if it has expired. A table that is locked is left
 * alone: its deadline is set anew when its unit is settled. */
void referee_enforce(struct server *server, struct table *table);

/* Checks whether the holder of `seats` may claim the win. Fails with NOT_A_PLAYER,
 * MATCH_NOT_STARTED, MATCH_OVER, or NOT_ALLOWED with the reason. */
enum status referee_may_claim(const struct server *server, const struct table *table,
                              unsigned seats, struct cause *cause);

/* Frees the seat of a draft that a player took when it was open (table_free_seat()). */
void referee_free_seat(struct table *draft, enum color color);

/* The player's connection has ended: tells those who play with them. Guests cannot come back, so
 * their matches end: lost if they have really begun, else aborted. */
void referee_gone(struct server *server, struct player *player);

/* Ends matches of guests who are gone, where that could not be kept when they went. Call it again
 * while server->guests_wait. */
void referee_gone_late(struct server *server);

/* Aborts the oldest open match whose people are all away. False: there is none. */
bool referee_make_room(struct server *server);

/* Returns whether there is such a match. */
bool referee_can_make_room(const struct server *server);

/* Sets the deadlines of all matches that were loaded, and aborts those that only a guest could go
 * on with. */
void referee_take_up(struct server *server);

#endif
