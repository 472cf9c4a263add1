/*
 * Positions as JSON: the one place where a position turns into what goes over the wire. The
 * field names are those of protocol.md.
 */
#ifndef LUDUS_BOARD_JSON_H
#define LUDUS_BOARD_JSON_H

#include "game.h"
#include "json_text.h"

/* Writes what the position tells: "turn", "position", "board", and "score" or "check" in the games
 * that have them. */
void board_json(struct json_text *json, const struct game *game, const struct position *position);

/* Writes the legal moves as an array of texts; with from >= 0 only those that start from, or place
 * on, that square. */
void legal_json(struct json_text *json, const char *name, const struct game *game,
                const struct position *position, int from);

#endif
