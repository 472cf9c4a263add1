/* `ludus new`, `ludus move` and `ludus say`: a script does what a player does, and ends. */
#ifndef LUDUS_SCRIPT_ACT_H
#define LUDUS_SCRIPT_ACT_H

#include "common/usage.h"

/* argv[0] is the word; they return the exit status. */
int new_main(int argc, char *argv[]);
int move_main(int argc, char *argv[]);
int say_main(int argc, char *argv[]);

/* The options of the first, of the second and of the third. */
extern const struct usage_row new_rows[], move_rows[], say_rows[];

#endif
