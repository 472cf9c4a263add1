/*
 * Servers found on the network. A server is one entry, however often it answers. This module knows
 * no sockets.
 */
#ifndef LUDUS_LAN_FOUND_H
#define LUDUS_LAN_FOUND_H

#include "client/link/link.h"
#include "common/beacon.h"

enum {
    FOUND_MAX = 32,
    FOUND_HOST_MAX = 16, /* bytes with the final NUL */
    FOUND_LINE_MAX = 400
};

struct found {
    struct beacon_server about; /* all texts: clean UTF-8 */
    char host[FOUND_HOST_MAX];  /* an IPv4 address */
};

/* All zero when nothing was found. */
struct found_list {
    struct found list[FOUND_MAX];
    int count;
};

/* Adds a server. One that is in the list already keeps its address, unless that is loopback. The
 * list leaves out a server that it has no room for. */
void found_add(struct found_list *found, const struct beacon_server *about, const char *host);

/* Orders two entries for a list: less than, equal to or greater than 0. */
int found_order(const struct found *a, const struct found *b);

/* Writes the address for --connect and `ludus join`, with TLS where the server offers it. */
void found_address(const struct found *server, char address[LINK_ADDRESS_MAX]);

/* Describes the server in a line: its address, name and games, and whether it wants a code. */
void found_describe(const struct found *server, char line[FOUND_LINE_MAX]);

#endif
