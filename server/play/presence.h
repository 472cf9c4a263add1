/*
 * Who is here: sessions open and end, and players come back to their names and leave. What that
 * means for their matches follows (referee.h), and the others are told.
 *
 * Whoever opened a session (the event loop, a test) frees it with presence_free() when the
 * connection is gone. Nothing here frees it before: it only asks the sink to close.
 */
#ifndef LUDUS_PRESENCE_H
#define LUDUS_PRESENCE_H

#include "server.h"
#include "session.h"

/* Begins a session as a new guest and greets. It leaves `origin`, which was entered for it and may
 * be NULL, when it is freed. */
struct session *presence_open(struct server *server, struct sink sink, struct origin *origin);

/* Says bye with the reason and leaves: the seats of a guest, the watches, the name. What its
 * commands were told goes out before. */
void presence_close(struct session *session, const char *reason);

/* Leaves without a word: the reply to `quit` was one. */
void presence_end(struct session *session);

/* Frees the session, which leaves first if it has not. */
void presence_free(struct session *session);

/* Closes the sessions that have made too many errors. */
void presence_close_erring(struct server *server);

/* The session of a guest goes on as a player who was here before. A session that had the name is
 * closed as replaced. Tells the others, and the player all their matches. */
void presence_come_back(struct session *session, struct player *player);

/* Has the keeper know when this player was here. */
void presence_note_seen(struct server *server, struct player *player);

#endif
