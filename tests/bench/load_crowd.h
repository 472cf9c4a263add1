/*
 * The connections of a run to one or more servers, numbered from 0. Does not know what they carry.
 */
#ifndef LUDUS_LOAD_CROWD_H
#define LUDUS_LOAD_CROWD_H

#include "load_wire.h"

#include <stdint.h>

enum { SILENCE_S = 45 }; /* a server that is silent for this long is stuck */

/* All zero means none. */
struct crowd {
    struct wire *wires; /* owned; `count` of them, of which the first `connected` are open */
    long count, connected;
    int epoll_fd;
    long lost;        /* the connection that was lost; -1: none */
    int64_t heard_ns; /* when the current line arrived */
};

/* Takes a line from a connection, borrowed for the call. Returns false to stop for now. */
typedef bool crowd_hear(void *context, long index, const char *line);

/* Opens the given number of connections to HOST:PORT[,HOST:PORT]..., lines or WebSockets, in
 * groups: those of a group are at servers one after the other, and the first of each group is one
 * server further. On failure returns false with the cause; call crowd_close() even then. */
bool crowd_connect(struct crowd *crowd, const char *addresses, bool websocket, long count,
                   long group, struct cause *cause);

/* Waits briefly for lines and hands them over. Returns false with the cause when a connection is
 * lost, or nothing came for SILENCE_S. */
bool crowd_turn(struct crowd *crowd, crowd_hear *hear, void *context, struct cause *cause);

/* Returns the number of bytes received on all connections. */
int64_t crowd_received_bytes(const struct crowd *crowd);

void crowd_close(struct crowd *crowd);

#endif
