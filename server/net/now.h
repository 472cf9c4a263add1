/*
 * Time. Sessions and matches never read a clock: they use the server's time, which the event loop
 * sets before it calls them.
 */
#ifndef LUDUS_NOW_H
#define LUDUS_NOW_H

#include "server/play/server.h"

/* Sets the server's now_ms and wall_s from the system's clocks. */
void now_set(struct server *server);

#endif
