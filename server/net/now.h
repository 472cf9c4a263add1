/*
 * The time. Sessions and matches never read a clock: they take the time from the server, where the
 * event loop puts it before it hands anything over.
 */
#ifndef LUDUS_NOW_H
#define LUDUS_NOW_H

#include "server/play/server.h"

/* Sets the server's now_ms and wall_s from the system's clocks. */
void now_set(struct server *server);

#endif
