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
extern const struct option_row host_rows[];

/* Finds a friend's server, and takes the match that is open there. */
int join_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct option_row join_rows[];

/* Lets the server find an opponent, and plays. */
int seek_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct option_row seek_rows[];

/* Subcommands for scripts: each asks the server for one thing, or does one thing that a player
 * does. */
int script_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct option_row ask_rows[], list_rows[], inbox_rows[], new_rows[], move_rows[],
    say_rows[], state_rows[], watch_rows[], record_rows[], device_rows[];

/* Prints a match as others like to get it: as text, as a picture, as a recording. */
int share_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct option_row share_rows[];

/* Prints the finished matches of a server. */
int export_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct option_row export_rows[];

/* Asks a bot of this machine for a move in one of the player's matches. */
int hint_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct option_row hint_rows[];

/* Opens, plays, directs, follows and exports tournaments. */
int tournament_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct option_row tournament_rows[];

/* Makes the folder of a course of bots, plays its nights, and reports on them. */
int course_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct option_row course_rows[];

/* Checks the matches of a PGN file against the rules, and steps through them at a terminal. Needs
 * no server. The status is 1 when the file cannot be read or a match is wrong. */
int replay_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct option_row replay_rows[];

/* Reviews the matches of a PGN file, or a match at the server, by the bot beside this program. */
int review_file_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct option_row review_file_rows[];

/* Prints the rules of a game, or of all. Needs no server. */
int rules_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct option_row rules_rows[];

/* Shows the lessons of a game. Needs no server. */
int learn_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct option_row learn_rows[];

/* Shows puzzles, and refutes what does not win. Needs no server. */
int puzzle_main(const struct usage_command *command, int argc, char *argv[]);
extern const struct option_row puzzle_rows[];

#endif
