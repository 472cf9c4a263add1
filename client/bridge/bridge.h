/*
 * The bridge: one player at a server, and an engine for each of its matches, in one poll() loop.
 */
#ifndef LUDUS_BRIDGE_BRIDGE_H
#define LUDUS_BRIDGE_BRIDGE_H

#include "bridge_options.h"

/* Tests the engine, connects and plays until SIGTERM, SIGINT or a failure. Reports a failure on
 * standard error, and returns the exit status. */
int bridge_run(const struct bridge_options *options);

#endif
