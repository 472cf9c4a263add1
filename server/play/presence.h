/*
 * Presence: opens and ends sessions, and brings players back to their names. Their matches follow
 * (referee.h), and the others are told.
 *
 * The caller that opened a session (the event loop, a test) frees it with presence_free() when the
 * connection is gone. Until then a session that ends only asks its sink to close.
 */
#ifndef LUDUS_PRESENCE_H
#define LUDUS_PRESENCE_H

#include "server.h"
#include "session.h"

/* Begins a session as a new guest and greets. It leaves `origin`, which was entered for it and may
 * be NULL, when it is freed. */
struct session *presence_open(struct server *server, struct sink sink, struct origin *origin);

/* Says bye with the reason and leaves the seats of a guest, the watches and the name. Replies that
 * are due go out first, if they can. */
void presence_close(struct session *session, const char *reason);

/* Leaves without a word: the reply to `quit` was one. */
void presence_end(struct session *session);

/* Frees the session, which leaves first if it has not. */
void presence_free(struct session *session);

/* Closes a session whose player goes on elsewhere: nobody has left. */
void presence_hand_over(struct session *session);

/* Closes the sessions that have made too many errors. */
void presence_close_erring(struct server *server);

/* The session of a guest goes on as a player who was here before. A session that had the name is
 * closed as replaced. Tells the others, and the player all their matches. */
void presence_come_back(struct session *session, struct player *player);

/* A line is done with its look-up, or its session has gone. If the look-up has brought a player to
 * this server who has no session, they are nowhere. `look_up` may be NULL. */
void presence_give_back(struct server *server, const struct look_up *look_up);

/* The keeper has said where a player is (relay_ask_presence()): tells those who play with them if
 * they are nowhere. */
void presence_learn(struct server *server, const struct look_up *look_up);

/* Has the keeper know when this player was here, as soon as no unit has locked them. */
void presence_note_seen(struct server *server, struct player *player);

#endif
