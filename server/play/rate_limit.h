/*
 * Limits: how fast a session and its address may send commands, chat, connect and take names
 * (server/base/limits.h, origin.h), how much is kept for an address, and how many matches may be
 * open, those that the server opens by itself included. House bots have no limits.
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

/* Returns the milliseconds until a line that counts like `commands` may come; 0: now, and that
 * is counted. */
int64_t rate_limit_take_commands(struct session *session, int commands);

/* Counts commands, whether they are allowed or not. Nobody owes more than a full bucket. */
void rate_limit_count(struct session *session, int commands);

/* Counts the time that the loop was busy with a run of a line which counts like `commands`, and has
 * kept it busy for `before_us` in runs that ended asleep: a session and an address may each have a
 * quarter of the loop's time. */
void rate_limit_count_time(struct session *session, int64_t before_us, int64_t busy_us,
                           int commands);

/* Counts what a connection costs beside its commands towards what its network may take of a turn.
 * This is estimated, as asking for the time would cost as much. */
void rate_limit_count_handling(const struct server *server, struct origin *origin, int64_t busy_us);

/* Returns whether the network around an address has had its share of a turn of the loop: what it
 * says then is heard in the next one, after the others. */
bool rate_limit_turn_is_used(const struct server *server, const struct origin *origin);

/* Returns the milliseconds until its player may chat in a match again; 0: now, and that is counted.
 * Spectators share one bucket per match and one per address. */
int64_t rate_limit_chat(struct session *session, struct table *table);

/* What has buckets of its own, of an address and of the players concerned. */
enum rate_kind {
    RATE_CHALLENGE, /* of a player */
    RATE_JOIN,      /* of an open match of somebody else */
    RATE_NAME       /* a new one, taken */
};

/* Returns the milliseconds until the session may do so; 0: now, and that is counted. `player` is
 * the one who is challenged, or NULL. */
int64_t rate_limit_take(struct session *session, enum rate_kind kind, struct player *player);

/* It was not done after all. */
void rate_limit_give_back(struct session *session, enum rate_kind kind, struct player *player);

/* Returns the milliseconds until the server keeps more for the address of a session; 0: now. */
int64_t rate_limit_keep_wait_ms(const struct session *session);

/* Counts bytes that are kept for its address. */
void rate_limit_keep(struct session *session, int bytes);

/* Counts a line for the log about an event from an address, which may be NULL. False: it is one too
 * many. The first of these is replaced by a line that says so. */
bool rate_limit_log(const struct server *server, struct origin *origin, enum log_event event);

/* Counts a line about a match: for the address that opened it, or for its tournament. */
bool rate_limit_log_match(const struct server *server, const struct table *table,
                          enum log_event event);

/* Counts a connection as work of its address, whose origin has it among its connections already.
 * False: the address has too many, or makes them too fast. The server may be full nevertheless. */
bool rate_limit_may_connect(struct server *server, struct origin *origin);

/* Returns whether the server has all connections that it may have. */
bool rate_limit_is_full(const struct server *server);

/* Counts a request of a browser as work of its address. False: too early. */
bool rate_limit_may_request(struct server *server, struct origin *origin);

/* What a TLS record that brings no line counts as, in commands. */
enum { RECORD_COST = 2 };

/* Counts a TLS record as work of the address of a visitor, who has no session yet. False: one too
 * many. */
bool rate_limit_may_send_record(struct server *server, struct origin *origin);

/* Counts a picture that is drawn for its network. False: one too many. Drawing keeps the loop
 * longer than anything else that strangers may ask for. */
bool rate_limit_may_draw(struct server *server, struct origin *origin);

/* Counts what answering the request takes beyond that, whether it is allowed or not: as `commands`,
 * or as the time that the loop was busy with it. */
void rate_limit_count_request(struct server *server, struct origin *origin, int commands,
                              int64_t busy_us);

/* Returns whether an origin, which may be NULL, has the limits of an address: loopback has none,
 * unless --limit-loopback is given. */
bool rate_limit_is_for(const struct server *server, const struct origin *origin);

/* Returns the origin of the session, or NULL where the limits of an address do not hold. */
struct origin *rate_limit_origin(const struct session *session);

enum opening_limit {
    OPENING_FREE,
    OPENING_OF_PLAYER,  /* the opener has too many unfinished matches */
    OPENING_OF_ADDRESS, /* an address or network has */
    OPENING_SHARE,      /* the last places are for networks with few matches */
    OPENING_FULL        /* the server is: referee_make_room() may help */
};

/* Finds the first limit that stands against one more match of `opener`, opened at `origin`; either
 * may be NULL, and then does not count. With OPENING_OF_ADDRESS, *full (may be NULL) is the address
 * or network. */
enum opening_limit opening_limit(const struct server *server, const struct player *opener,
                                 const struct origin *origin, const struct origin **full);

#endif
