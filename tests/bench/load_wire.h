/* One connection of the load generator: lines out, lines in. Knows nothing of what they say. */
#ifndef LUDUS_LOAD_WIRE_H
#define LUDUS_LOAD_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cause.h"

struct addrinfo;

enum { WIRE_BYTES = 32768 }; /* longest line that can be read */

struct wire {
    int fd;
    size_t used, taken; /* bytes in the buffer; those of lines that were handed out */
    int64_t received_bytes;
    char buffer[WIRE_BYTES];
};

/* Finds HOST:PORT (HOST may stand in brackets). The list is the caller's, to be freed with
 * freeaddrinfo(). False with the cause. */
bool wire_resolve(const char *address, struct addrinfo **list, struct cause *cause);

/* Connects, waiting for it, to the first of the list that answers. False with the cause, and
 * wire->fd is -1. */
bool wire_connect(struct wire *wire, const struct addrinfo *list, struct cause *cause);

/* Sends a line, whose end it adds. False with the cause when it cannot go out at once: the lines
 * are so short and few that only a server that does not read makes that happen. */
bool wire_send(struct wire *wire, struct cause *cause, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sends whole lines at once. False as above. */
bool wire_send_bytes(struct wire *wire, const char *bytes, size_t length, struct cause *cause);

/* Reads once, what is there; call it when the socket is readable. False with the cause when the
 * connection is over or a line too long. */
bool wire_fill(struct wire *wire, struct cause *cause);

/* The next complete line, without its end, or NULL; borrowed until the next wire_fill(). */
const char *wire_line(struct wire *wire);

void wire_close(struct wire *wire);

#endif
