/*
 * Presence: opens and ends sessions, and brings players back to their names. Their matches follow
 * (referee.h), and the others are told.
 *
 * The caller that opened a session (the event loop, a test) frees it with presence_free() when the
 * connection is gone. Until then a session that ends only asks its sink to close.
 */
#ifndef LUDUS_PRESENCE_H
#define LUDUS_PRESENCE_H

#include "announce.h"
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

/* Closes the sessions of a player who goes on at another server alone: nobody has left. */
void presence_hand_over(struct server *server, struct player *player);

/* Closes the sessions that have made too many errors, those whose token has ended, and those that
 * make way for the only one of their player. */
void presence_close_marked(struct server *server);

/* The session of a guest goes on as a player who was here before, or is: then it is one more of
 * their windows, unless it is to be the `only` one. Tells the others, and the session all matches
 * of the player. */
void presence_come_back(struct session *session, struct player *player, bool only);

/* A line is answered, or its session has gone: drops what it has asked for. A player whom a claim
 * has brought here without a session is nowhere, and a token that a device code has given ends
 * unless the session has come in with it. */
void presence_end_line(struct session *session);

/* Ends a token of a player that nobody has, as soon as no unit has locked them. */
void presence_end_token(struct server *server, struct player *player, int token);

/* An answer that no line waits for: perhaps a claim whose session has gone. */
void presence_learn(struct server *server, const struct look_up *look_up);

/* Saves that this player was here just now, and, at a shared keeper, the windows that they have
 * here, as soon as no unit has locked them. */
void presence_note_seen(struct server *server, struct player *player);

/* The keeper has set at which other servers a player is, or that they have another name; they were
 * at those of `before`. Tells all who have to know it, the player included. */
void presence_placed(struct server *server, struct player *player, const struct places *before,
                     bool renamed);

/* A seek of another server names its player, who is there, unless more is known here. */
void presence_meet(struct server *server, struct player *player, const struct presence_news *news);

#endif
