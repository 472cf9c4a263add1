/*
 * What the keeper of a store does while no server uses it: look whether everything in it is in
 * order (`ludusd check`), and write it out as text (`ludusd --export`). Both report on standard
 * output and standard error, and return the exit status of the program.
 */
#ifndef LUDUS_MAINTAIN_H
#define LUDUS_MAINTAIN_H

#include "store.h"

/* Verifies the file, and plays every match again: its moves must be legal, and lead to the
 * position and the result that are stored. Names each match that is not in order. */
int maintain_check(struct store *store);

/* Writes all matches as text (common/pgn.h) into `matches.pgn` of a new folder, and what is known
 * of the players, a JSON object a line, into `players.jsonl`. */
int maintain_export(struct store *store, const char *folder);

#endif
