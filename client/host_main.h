/* `ludus host`: a server for the evening, and a seat at it. */
#ifndef LUDUS_HOST_MAIN_H
#define LUDUS_HOST_MAIN_H

#include "common/usage.h"

/* argv[0] is not looked at; returns the exit status. Its options. */
int host_main(int argc, char *argv[]);
extern const struct usage_row host_rows[];

#endif
