/* Recorded matches: the server's records as PGN, and files of PGN. */
#ifndef LUDUS_RECORD_H
#define LUDUS_RECORD_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "common/cause.h"
#include "common/pgn.h"

/* Writes the reply to `record` as PGN (common/pgn.h); the caller frees the text. NULL with the
 * cause when the reply makes no sense or the game is unknown here. */
char *record_pgn(const cJSON *reply, bool with_times, struct cause *cause);

/* Reads a file, or standard input for "-". False with the cause when it cannot be read or
 * pgn_read() refuses it. */
bool record_read_file(const char *path, struct pgn_file *file, struct cause *cause);

/* Reads the reply to `record` as a file of one match, which has passed pgn_check(). False with the
 * cause. */
bool record_read_reply(const cJSON *reply, struct pgn_file *file, struct cause *cause);

/* Whether the record is of a match that was over, aborted or not. */
bool record_is_over(const struct pgn_match *match);

/* The position after that many moves of a match that has passed pgn_check(). */
struct position record_position(const struct pgn_match *match, int ply);

#endif
