/* Reads the matches of a PGN file. */
#ifndef LUDUS_REPLAY_FILE_H
#define LUDUS_REPLAY_FILE_H

#include "common/pgn.h"

/* Reads a file, or standard input for "-". False with the cause when it cannot be read or
 * pgn_read() refuses it. */
bool replay_file_read(const char *path, struct pgn_file *file, struct cause *cause);

/* The position after that many moves of a match that has passed pgn_check(). */
struct position replay_file_position(const struct pgn_match *match, int ply);

#endif
