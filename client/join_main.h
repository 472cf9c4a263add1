/* `ludus join`: finds a friend's server, and takes the match that is open there. */
#ifndef LUDUS_JOIN_MAIN_H
#define LUDUS_JOIN_MAIN_H

#include "common/usage.h"

/* argv[0] is not looked at; returns the exit status. Its options. */
int join_main(int argc, char *argv[]);
extern const struct usage_row join_rows[];

#endif
