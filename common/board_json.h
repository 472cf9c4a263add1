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
void board_json(struct buffer *json, const struct game *game, const struct position *position);

/* Writes moves of a position as an array of texts. */
void moves_json(struct buffer *json, const char *name, const struct position *position,
                const struct move moves[], int count);

#endif
