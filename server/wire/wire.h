/*
 * The frame of every message that the server sends, and the members that several messages share.
 * Each message has one function, in one of the files wire_*.c. It takes plain values, and writes
 * the message in the receiver's format: JSON (protocol.md) or text for people.
 */
#ifndef LUDUS_WIRE_H
#define LUDUS_WIRE_H

#include <stdbool.h>
#include <time.h>

#include "common/json_text.h"
#include "server/model/match.h"

/* A place for messages. */
struct wire {
    struct buffer *out; /* borrowed; messages are added at its end */
    bool text;          /* for people; else JSON */
    const char *id; /* of the command that is answered; NULL: it had none, or an event is told */
};

/* Begin and end a JSON object with its type; wire_begin() adds the id. Both return the buffer for
 * the members. */
struct buffer *wire_begin(const struct wire *wire, const char *type);
void wire_end(const struct wire *wire);

/* Adds the id, if there is one. */
void wire_id(const struct wire *wire);

/* Members that several messages have, as JSON. */
void wire_game(struct buffer *json, const char *id, const struct game *game, const char *variant);
void wire_outcome(struct buffer *json, struct outcome outcome);
void wire_date(struct buffer *json, time_t date);
void wire_rated(struct buffer *json, const double rated[2]);
/* The clock as agreed on, null without one. */
void wire_time_control(struct buffer *json, const struct clock *clock);

/* Parts of messages as text for people. */

/* The time control as `new` takes it, such as 300+5, behind `before`; nothing without a clock. */
void wire_time_control_text(struct buffer *text, const char *before, const struct clock *clock);
/* The time until the match may be claimed from a player who is away; nothing for claim_ms < 0. */
void wire_claim_text(struct buffer *text, int64_t claim_ms);
/* Names with the ratings after the match; a name may be NULL. */
void wire_rated_text(struct buffer *text, const char *const names[2], const double rated[2]);

/* The date in UTC, as ISO 8601. */
struct wire_date {
    char text[32];
};
struct wire_date wire_date_text(time_t date);

#endif
