/*
 * Finished and running matches as text: the server's `record` as PGN, and `ludus record`, which
 * fetches one.
 */
#ifndef LUDUS_RECORD_H
#define LUDUS_RECORD_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "common/cause.h"
#include "common/usage.h"

/* Writes the reply to `record` as PGN (common/pgn.h). The caller frees the text. NULL with the
 * cause when the reply makes no sense, or is about a game that is not known here. */
char *record_pgn(const cJSON *reply, bool with_times, struct cause *cause);

/* `ludus record`: connects, prints a record, ends. argv[0] is not looked at; returns the exit
 * status. Its options. */
int record_main(int argc, char *argv[]);
extern const struct usage_row record_rows[];

#endif
