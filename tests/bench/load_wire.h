/* One connection of the load generator: sends and receives lines, as such or as messages of a
 * WebSocket. Does not know what they say. */
#ifndef LUDUS_LOAD_WIRE_H
#define LUDUS_LOAD_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/text.h"

struct addrinfo;

enum { WIRE_BYTES = 32768 }; /* longest readable line */

struct wire {
    int fd;
    bool websocket;
    size_t used, taken; /* bytes in the buffer; bytes of lines handed out */
    int64_t received_bytes;
    char buffer[WIRE_BYTES];
};

/* Resolves HOST:PORT (HOST may be in brackets). The caller frees the list with freeaddrinfo().
 * Returns false with the cause. */
bool wire_resolve(const char *address, struct addrinfo **list, struct cause *cause);

/* Connects to the first address of the list that answers; blocks. On failure returns false with the
 * cause, and wire->fd is -1. */
bool wire_connect(struct wire *wire, const struct addrinfo *list, struct cause *cause);

/* Goes on as a WebSocket; blocks. On failure returns false with the cause. */
bool wire_upgrade(struct wire *wire, struct cause *cause);

/* Sends a line and adds its end. Returns false with the cause when it cannot be sent at once: lines
 * are so short and few that this means a server that does not read. */
bool wire_send(struct wire *wire, struct cause *cause, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sends complete lines at once. Returns false with the cause when they cannot be sent at once. */
bool wire_send_bytes(struct wire *wire, const char *bytes, size_t length, struct cause *cause);

/* Reads once; call it when the socket is readable. Returns false with the cause when the connection
 * is closed or a line is too long. */
bool wire_fill(struct wire *wire, struct cause *cause);

/* Returns the next complete line without its end, or NULL; borrowed until the next wire_fill(). */
const char *wire_line(struct wire *wire);

void wire_close(struct wire *wire);

#endif
