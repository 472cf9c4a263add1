/* The client for a person, from the login to the end. */
#ifndef LUDUS_RUN_H
#define LUDUS_RUN_H

#include "args.h"

/* Does what the options say, in full screen or by lines; returns the exit status. */
int run_client(const struct args *args);

#endif
