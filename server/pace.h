/*
 * The pace at which a session may ask for things: commands, against its own account and that of its
 * address (bucket.h, origin.h), chat, and new names. A house bot may do as it likes.
 */
#ifndef LUDUS_PACE_H
#define LUDUS_PACE_H

#include <stdint.h>

struct session;

/* How long until a line that counts like `cost` commands may come, in milliseconds; 0: now. */
int64_t pace_wait_ms(const struct session *session, int64_t cost);

/* Counts so many commands, whether they might come or not. */
void pace_count(struct session *session, int commands);

/* How long until its player may chat again, in milliseconds; 0: now, and that is counted. */
int64_t pace_count_chat(struct session *session);

/* How long until somebody at its address may take another new name, in milliseconds; 0: now, and
 * that is counted. */
int64_t pace_count_name(struct session *session);
/* It was not taken after all. */
void pace_return_name(struct session *session);

/* Where the session comes from, or NULL where the limits of an address do not hold. */
struct origin *pace_origin(const struct session *session);

#endif
