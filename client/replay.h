/*
 * `ludus replay`: checks the matches of a PGN file against the rules, and steps through them at a
 * terminal. Needs no server.
 */
#ifndef LUDUS_REPLAY_H
#define LUDUS_REPLAY_H

#include "common/pgn.h"
#include "common/usage.h"

/* argv[0] is not looked at; returns the exit status: 1 when the file cannot be read or one of its
 * matches is wrong. Its options. */
int replay_main(int argc, char *argv[]);
extern const struct usage_row replay_rows[];

/* Reads a file, or with "-" the standard input. False with the cause, as pgn_read(), and when it
 * cannot be read. */
bool replay_read(const char *path, struct pgn_file *file, struct cause *cause);

#endif
