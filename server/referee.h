/*
 * The referee: what ends a match beside the players' moves and words. Flags fall, bots stall,
 * players stay away until the other claims the win or everybody has forgotten the match, and
 * guests who are gone do not come back.
 *
 * The nearest of what may happen by itself at a table is its deadline. It is set anew whenever
 * something there has changed: announce_change() and the functions below see to that.
 */
#ifndef LUDUS_REFEREE_H
#define LUDUS_REFEREE_H

#include <stdint.h>

#include "lobby.h"
#include "server.h"

/* Sets the table's deadline, and what lag the side to move is forgiven. To be called when the
 * match, its seats or who of its players is here has changed, or it was loaded. */
void referee_watch(struct server *server, struct table *table);

/* Sets the deadlines of all tables, as the limits are others now. */
void referee_limits_changed(struct server *server);

/* As referee_watch() after a change that could not be kept: tries nothing in the next second. */
void referee_retry(struct server *server, struct table *table);

/* Does what is due at the table by now, if anything is. */
void referee_settle(struct server *server, struct table *table);

/* How long until the others at a running match may claim the win against this player, in ms; 0
 * when they may; -1 while he is here. */
int64_t referee_claim_ms(const struct server *server, const struct player *player);

/* Whether the holder of `seats` may claim the win. Fails with NOT_A_PLAYER, MATCH_NOT_STARTED,
 * MATCH_OVER, or NOT_ALLOWED with the reason. */
enum status referee_may_claim(const struct server *server, const struct table *table,
                              unsigned seats, struct cause *cause);

/* The holder of `seats`, who may, claims the win. Tells nobody. */
void referee_claim(struct server *server, struct table *table, unsigned seats);

/* The player's connection has ended: tells those who play with him. A guest cannot come back, so
 * his matches end: lost if they have really begun, else aborted. */
void referee_gone(struct server *server, struct player *player);

/* Ends the matches of one of the guests who are gone, where that could not be written when he went.
 * To be called again while server->guests_wait. */
void referee_gone_late(struct server *server);

/* Watches over all matches that were loaded, and aborts those that only a guest could go on with.
 */
void referee_take_up(struct server *server);

/* The player is here, as whom he now is: the deadlines of his matches follow. */
void referee_here(struct server *server, struct player *player);

#endif
