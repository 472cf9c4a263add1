/*
 * Positions as JSON: the one place where a position turns into what goes over the wire. The
 * field names are those of protocol.md.
 */
#ifndef LUDUS_BOARD_JSON_H
#define LUDUS_BOARD_JSON_H

#include <cjson/cJSON.h>

#include "game.h"

/* Adds to `object` what the position tells: "turn", "position", "board", and "score" or "check"
 * in the games that have them. False when memory ran out. */
bool board_json(cJSON *object, const struct game *game, const struct position *position);

/* The legal moves as an array of texts, owned by the caller; with from >= 0 only those that
 * start from, or place on, that square. NULL when memory ran out. */
cJSON *legal_json(const struct game *game, const struct position *position, int from);

#endif
