/*
 * The bridge: one player at the server, and an engine for each of his matches, in one poll()
 * loop.
 */
#ifndef LUDUS_BRIDGE_BRIDGE_H
#define LUDUS_BRIDGE_BRIDGE_H

#include "bridge_options.h"

/* Tries the engine out, connects and plays until SIGTERM or SIGINT comes or it cannot go on.
 * Returns the exit status, after saying on standard error what failed. */
int bridge_run(const struct bridge_options *options);

#endif
