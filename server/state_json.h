/*
 * The `state` of a match as JSON (protocol.md). It is what the server says most, so it is written
 * as text at once; view.h makes a tree of it where one is needed.
 */
#ifndef LUDUS_STATE_JSON_H
#define LUDUS_STATE_JSON_H

#include "common/json_text.h"
#include "lobby.h"
#include "server.h"

/* A state takes less, its line end included: its parts are all bounded, and the longest are the 315
 * legal moves that there may be, of 7 bytes each. */
enum { STATE_BYTES_MAX = 8192 };

/* Begins the object, with what it shows to everyone alike. */
void state_json_common(struct json_text *json, const struct server *server,
                       const struct table *table);

/* Adds what it shows to someone who holds `seats`: his seat; with_legal the legal moves, if it is
 * his turn. Then ends the object. */
void state_json_own(struct json_text *json, const struct table *table, unsigned seats,
                    bool with_legal);

#endif
