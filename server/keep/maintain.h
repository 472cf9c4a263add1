/*
 * Maintenance of a store that no server uses: `ludusd check` and `ludusd --export`. Both report on
 * standard output and standard error, and return the exit status of the program.
 */
#ifndef LUDUS_MAINTAIN_H
#define LUDUS_MAINTAIN_H

#include "store.h"

/* Verifies the file and replays every match: the moves must be legal and lead to the stored
 * position and result. Reports each broken match, player and rating. */
int maintain_check(struct store *store);

/* Creates a directory and writes all matches into `matches.pgn` there (common/pgn.h), and named
 * players and house bots with their ratings into `players.jsonl`, a JSON object a line. */
int maintain_export(struct store *store, const char *folder);

#endif
