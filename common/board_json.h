/* Positions as JSON, with the field names of protocol.md. No other file writes them. */
#ifndef LUDUS_BOARD_JSON_H
#define LUDUS_BOARD_JSON_H

#include "game.h"
#include "json_text.h"

/* Writes the members "turn", "position" and "board", and "check" or "score" where the game has
 * them. */
void board_json(struct buffer *json, const struct game *game, const struct position *position);

/* Writes moves of a position as an array of strings. */
void moves_json(struct buffer *json, const char *name, const struct position *position,
                const struct move moves[], int count);

#endif
