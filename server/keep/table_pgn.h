/* A match with its people as PGN (common/pgn.h). */
#ifndef LUDUS_TABLE_PGN_H
#define LUDUS_TABLE_PGN_H

#include "server/model/table.h"

/* Writes a match as text, which the caller frees. */
char *table_pgn(const struct table *stored);

#endif
