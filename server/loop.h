/*
 * The event loop: sockets, timers, signals and children, by libevent. The only file that knows
 * it. It hands whole lines to the sessions and writes what they give it; every limit on what a
 * peer may make the server hold is kept here.
 */
#ifndef LUDUS_LOOP_H
#define LUDUS_LOOP_H

#include "common/cause.h"
#include "server.h"

struct loop;

/* Makes the loop for a server, which it borrows. NULL when that fails. */
struct loop *loop_new(struct server *server);

/* Listens on ADDR:PORT (the port may be 0: any free one) and writes the address as it came to
 * be into bound[size]. False with the cause. */
bool loop_listen(struct loop *loop, const char *address, char *bound, size_t size,
                 struct cause *cause);

/* Runs until SIGTERM or SIGINT, then says bye to all, waits up to 5 s until they have been told,
 * and returns. */
void loop_run(struct loop *loop);

/* Closes what is left, frees its sessions and the loop. */
void loop_free(struct loop *loop);

#endif
