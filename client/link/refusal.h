/* Why the server refuses a command, for the person who gave it. */
#ifndef LUDUS_REFUSAL_H
#define LUDUS_REFUSAL_H

#include <cjson/cJSON.h>

#include "common/game.h"

/* Writes the server's own sentence, which is English, or in another language that of its `code`. */
void refusal_read(const cJSON *reply, struct cause *cause);

/* The same for a move in a position: names the rule that an illegal one breaks. */
void refusal_read_move(const cJSON *reply, const struct game *game, const char *position,
                       const char *variant, const char *move, struct cause *cause);

#endif
