/*
 * Rate limits: how fast a session may send commands, counted for the session and for its address
 * (bucket.h, origin.h), how fast it may chat, and how fast an address may connect and take names.
 * House bots have no limits.
 */
#ifndef LUDUS_RATE_LIMIT_H
#define LUDUS_RATE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "server/model/origin.h"

struct player;
struct server;
struct session;
struct table;

/* Returns the milliseconds until a line that counts like `cost` commands may come; 0: now. */
int64_t rate_limit_wait_ms(const struct session *session, int64_t cost);

/* Counts so many commands, whether they are allowed or not. */
void rate_limit_count(struct session *session, int commands);

/* Returns the milliseconds until its player may chat in a match again; 0: now, and that is
 * counted. Those who watch share an account for each match, and one for each address. */
int64_t rate_limit_chat(struct session *session, struct table *table);

/* Returns the milliseconds until its player may challenge another one; 0: now, and that is
 * counted. */
int64_t rate_limit_challenge(struct session *session, struct player *player);

/* The challenge was not sent after all. */
void rate_limit_return_challenge(struct session *session, struct player *player);

/* Returns the milliseconds until its player may join an open match; 0: now, and that is counted.
 * Only guests have to wait: they have no rating to lose. */
int64_t rate_limit_join(struct session *session);

/* The player did not join after all. */
void rate_limit_return_join(struct session *session);

/* Returns the milliseconds until somebody at its address may take another new name; 0: now, and
 * that is counted. */
int64_t rate_limit_name(struct session *session);

/* The name was not taken after all. */
void rate_limit_return_name(struct session *session);

/* Returns the milliseconds until the server keeps more for the address of a session; 0: now. */
int64_t rate_limit_keep_wait_ms(const struct session *session);

/* Counts bytes that are kept for its address. */
void rate_limit_keep(struct session *session, int bytes);

/* Whether another line about such an event may be logged for an address, which may be NULL; that is
 * counted. The first line that may not is replaced by one that says so. */
bool rate_limit_log(const struct server *server, struct origin *origin, enum log_event event);

/* Whether somebody at this address, whose connection the origin counts already, may connect now;
 * that is counted as the work it is. rate_limit_is_full() is another matter. */
bool rate_limit_may_connect(struct server *server, struct origin *origin);

/* Whether there are as many connections as there may be. */
bool rate_limit_is_full(const struct server *server);

/* Whether a network that has `by_network` of `used` places may take one more: the last ones of the
 * limit are for networks that have few. */
bool rate_limit_leaves_share(int used, int limit, int by_network);

/* Whether a browser at this address may make a request now; that is counted, too. */
bool rate_limit_may_request(struct server *server, struct origin *origin);

/* Whether the limits of an address hold for an origin, which may be NULL: loopback has none, unless
 * --limit-loopback is given. */
bool rate_limit_is_for(const struct server *server, const struct origin *origin);

/* Returns the origin of the session, or NULL where the limits of an address do not hold. */
struct origin *rate_limit_origin(const struct session *session);

#endif
