/* Runs the client for a person, from login to the end. */
#ifndef LUDUS_RUN_H
#define LUDUS_RUN_H

#include "args.h"

/* Plays in full screen or in line mode, as the options say; returns the exit status. */
int run_client(const struct args *args);

#endif
