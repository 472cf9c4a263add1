/*
 * The servers that were found on the network. A server is one entry, however often it answered. It
 * knows no sockets.
 */
#ifndef LUDUS_LAN_FOUND_H
#define LUDUS_LAN_FOUND_H

#include "client/link/link.h"
#include "common/beacon.h"

enum {
    FOUND_MAX = 32,
    FOUND_HOST_MAX = 16, /* bytes with the final NUL, as below */
    FOUND_LINE_MAX = 400
};

struct found {
    struct beacon_server about; /* all texts: clean UTF-8 */
    char host[FOUND_HOST_MAX];  /* an IPv4 address */
};

/* All zero: nothing was found. */
struct found_list {
    struct found list[FOUND_MAX];
    int count;
};

/* Adds a server. One that is in the list already keeps its address, unless that is loopback. The
 * list leaves out a server that it has no room for. */
void found_add(struct found_list *found, const struct beacon_server *about, const char *host);

/* Less than, equal to or greater than 0, as the one stands before the other in a list. */
int found_order(const struct found *a, const struct found *b);

/* The address as --connect and `ludus join` take it; with TLS where the server speaks it. */
void found_address(const struct found *server, char address[LINK_ADDRESS_MAX]);

/* Says in a line who that is: its address, name, games, and whether a code is needed. */
void found_describe(const struct found *server, char line[FOUND_LINE_MAX]);

#endif
