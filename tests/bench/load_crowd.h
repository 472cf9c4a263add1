/*
 * The connections of a run to one server, numbered from 0. Knows nothing of what is said on them.
 */
#ifndef LUDUS_LOAD_CROWD_H
#define LUDUS_LOAD_CROWD_H

#include "load_wire.h"

#include <stdint.h>

enum { SILENCE_S = 45 }; /* a server that says nothing for so long is stuck */

/* All zero is none. */
struct crowd {
    struct wire *wires; /* owned; `count` of them, of which the first `connected` are open */
    long count, connected;
    int epoll_fd;
    long lost;        /* the connection that was lost; -1: none */
    int64_t heard_ns; /* when what is handled came */
};

/* Takes a line that came on a connection, borrowed for the call. False: no more for now. */
typedef bool crowd_hear(void *context, long index, const char *line);

/* Connects to HOST:PORT so many times. False with the cause; crowd_close() it all the same. */
bool crowd_connect(struct crowd *crowd, const char *address, long count, struct cause *cause);

/* Waits a little for lines, and hands over those that came. False with the cause when a connection
 * is lost, or nothing has come for SILENCE_S. */
bool crowd_turn(struct crowd *crowd, crowd_hear *hear, void *context, struct cause *cause);

/* The bytes that came in on all of them. */
int64_t crowd_received_bytes(const struct crowd *crowd);

void crowd_close(struct crowd *crowd);

#endif
