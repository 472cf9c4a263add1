/* Events, which nobody has asked for. `state` is in wire_state.h. */
#ifndef LUDUS_WIRE_EVENT_H
#define LUDUS_WIRE_EVENT_H

#include "server/model/lobby.h"
#include "wire.h"

/* `hello`, the first message of a connection, which is JSON in any format. */
/* needs_code: a join code must come first. Lines may have line_bytes with their end. */
void wire_greeting(const struct wire *wire, bool needs_code, int line_bytes,
                   const struct player *player);

void wire_ping(const struct wire *wire);
void wire_bye(const struct wire *wire, const char *reason);

/* For the player who is asked to take a seat. */
void wire_challenge(const struct wire *wire, const struct seat *seat);

/* Whether the player in a seat is here. */
void wire_presence(const struct wire *wire, const struct instant *instant, const struct seat *seat);

/* What has become of an offer that `from` made. */
void wire_offer(const struct wire *wire, const struct table *table, enum offer what,
                enum color from, enum offer_news news);

void wire_chat(const struct wire *wire, const struct table *table, const struct player *from,
               const char *text);

/* `next` is the rematch of a match. */
void wire_rematch(const struct wire *wire, const struct table *table, const struct table *next);

#endif
