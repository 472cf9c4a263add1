/* The server's record of a match as PGN. */
#ifndef LUDUS_RECORD_H
#define LUDUS_RECORD_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "common/cause.h"

/* Writes the reply to `record` as PGN (common/pgn.h); the caller frees the text. NULL with the
 * cause when the reply makes no sense or the game is unknown here. */
char *record_pgn(const cJSON *reply, bool with_times, struct cause *cause);

#endif
