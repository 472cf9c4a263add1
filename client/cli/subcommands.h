/*
 * The subcommands of `ludus`, such as `ludus record 12`: each does one thing and ends. main.c has
 * the table of them. A function returns the exit status; a table of options ends with a row without
 * a name.
 */
#ifndef LUDUS_SUBCOMMANDS_H
#define LUDUS_SUBCOMMANDS_H

#include "common/usage.h"

/* Starts a server for the evening, and plays there. */
int host_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct usage_row host_rows[];

/* Finds a friend's server, and takes the match that is open there. */
int join_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct usage_row join_rows[];

/* Asks one question whose answer is a list: list, who, top, history, games, stats, moves. */
int ask_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct usage_row ask_rows[];

/* Do what a player does. */
int new_main(const struct usage_command *command, int argc, char *argv[]);
int move_main(const struct usage_command *command, int argc, char *argv[]);
int say_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct usage_row new_rows[], move_rows[], say_rows[];

/* Prints a match as it stands or as it goes on, or what happens in the lobby: state, watch. */
int watch_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct usage_row watch_rows[];

/* Prints the record of a match. */
int record_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct usage_row record_rows[];

/* Checks the matches of a PGN file against the rules, and steps through them at a terminal. Needs
 * no server. The status is 1 when the file cannot be read or a match is wrong. */
int replay_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct usage_row replay_rows[];

#endif
