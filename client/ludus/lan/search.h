/* Finds a friend's server: by a search of the network, or in the line that was pasted. */
#ifndef LUDUS_LAN_SEARCH_H
#define LUDUS_LAN_SEARCH_H

#include "client/link/link.h"
#include "client/link/uplink.h"
#include "common/beacon.h"

struct pasted {
    char address[LINK_ADDRESS_MAX]; /* as --connect takes it; "": none */
    char code[HELLO_CODE_MAX];      /* the address where there is no other word */
};

/* Reads "ludus join HOST[:PORT] --code CODE", the address of a page "http://HOST:PORT/#code=CODE",
 * or a single word, which may be either and is both then. */
void pasted_read(const char *line, struct pasted *pasted);

enum {
    SEARCH_MS = 2000,
    FOUND_MAX = 32,
    FOUND_HOST_MAX = 16, /* bytes with the final NUL */
    FOUND_LINE_MAX = 400
};

/* A server is one entry, however often it answers. */
struct found {
    struct beacon_server about; /* all texts: clean UTF-8 */
    char host[FOUND_HOST_MAX];  /* an IPv4 address */
};

/* All zero when nothing was found. */
struct found_list {
    struct found list[FOUND_MAX];
    int count;
};

/* Searches for that long, in milliseconds, and fills *found with all servers that answer, sorted by
 * name. Finds none if no socket can be opened. */
void lan_search(struct found_list *found, int duration_ms);

/* Whether an address leads to this machine only. */
bool lan_is_loopback(const char *address);

/* Finds the address by which other machines reach the server that is at HOST:PORT of this one, with
 * that HOST a loopback address and without TLS. False where it answers at no other address. */
bool lan_address_of(const char *loopback, char address[LINK_ADDRESS_MAX]);

/* Adds a server. One that is in the list already keeps its address, unless that is loopback. The
 * list leaves out a server that it has no room for. */
void found_add(struct found_list *found, const struct beacon_server *about, const char *host);

/* Writes the address for --connect and `ludus join`, with TLS where the server offers it. */
void found_address(const struct found *server, char address[LINK_ADDRESS_MAX]);

/* Describes the server in a line: its address, name and games, and whether it wants a code. */
void found_describe(const struct found *server, char line[FOUND_LINE_MAX]);

#endif
