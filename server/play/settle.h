/*
 * From a unit to the world: collects units into batches, hands them to the keeper, and when they
 * are kept lets them take effect, answers and tells everyone. Nothing else changes what others
 * can see, but for a move that another server has kept (cluster.c).
 */
#ifndef LUDUS_SETTLE_H
#define LUDUS_SETTLE_H

#include "server.h"
#include "server/keep/unit.h"
#include "session.h"

/* Completes the drafts of a unit: a match starts once both seats are taken, and one that has ended
 * is numbered, rated and scored in its tournament, in the unit that brought this about. Returns
 * NULL, or the lock of a player who is to be rated and is in another unit: then drop this one, and
 * try again when the lock is free. Every unit with a match passes here before settle_add().
 *
 * A match is rated if it is over with a result after each side has moved, and table_can_be_rated().
 * Each rated match is a Glicko-2 rating period of its own, and both players are rated
 * by the values from before it. */
struct lock *conclude(struct unit *unit, struct lobby *lobby, int64_t now_ms, time_t wall_s);

/* Takes a unit that is complete. It is settled at once, at the end of the turn of the loop, or when
 * the keeper answers. */
void settle_add(struct server *server, struct unit *unit);

/* Hands what is ready to the keeper, unless that is still busy with the batch before. The loop
 * calls it when it has handled what was there. */
void settle_ready(struct server *server);

/* Settles what is ready, if the keeper answers at once. */
void settle_now(struct server *server);

/* Answers a command without a unit: behind the units of the session's earlier commands. */
void settle_reply(struct session *session, const struct wire *reply);

/* Writes an error reply for settle_reply(), and counts it. `verb`, `id` and `text` may be NULL;
 * NULL for `text` means the code's own sentence. `command` is its number in the table, or 0.
 * `retry_ms` counts with STATUS_RATE_LIMITED only. */
struct wire settle_error(struct session *session, const char *id, const char *verb, int command,
                         enum status status, const char *text, int64_t retry_ms);

/* Charges a match that a server has opened by itself to one of its players; NULL: who is not here.
 */
void settle_charge_pair(struct session *session);

/* Drops the units that the keeper does not have yet. */
void settle_drop_ready(struct server *server);

/* The session is about to end. Settles its units, if that is possible at once; what is left
 * answers nobody. */
void settle_for(struct session *session);

/* Takes a batch that the keeper has settled; the context is the server. */
void settle_batch(void *context, struct batch *batch);

/* Another server has changed a match: it is what is kept now, in `fresh`, which this takes over.
 * The table is not locked. */
void settle_change(struct server *server, struct table *table, struct table *fresh);

/* Tells of a move that another server has played in a match, which goes on. */
void settle_moved(struct server *server, struct table *table);

#endif
