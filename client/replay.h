/*
 * `ludus replay`: checks the matches of a PGN file against the rules, and steps through them at a
 * terminal. Needs no server.
 */
#ifndef LUDUS_REPLAY_H
#define LUDUS_REPLAY_H

/* argv[0] is not looked at; returns the exit status: 1 when the file cannot be read or one of its
 * matches is wrong. */
int replay_main(int argc, char *argv[]);

#endif
