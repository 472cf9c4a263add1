/* Addresses of the network, and as text: ADDR:PORT, or [ADDR]:PORT for IPv6. */
#ifndef LUDUS_ADDRESS_H
#define LUDUS_ADDRESS_H

#include <stdbool.h>

#include "common/cause.h"
#include "server/model/origin.h"

enum { LISTEN_MAX = 16, ADDRESS_TEXT_MAX = 128 };

/* The addresses that the server listens on, with the ports that the system has chosen. */
struct listen_addresses {
    struct {
        char bound[ADDRESS_TEXT_MAX];
        bool tls;
    } list[LISTEN_MAX];
    int count;
};

struct addrinfo;
struct sockaddr;

/* Resolves an address to listen on; the port may be 0. The caller frees the list with
 * freeaddrinfo(). False with the cause. */
bool address_resolve(const char *text, struct addrinfo **list, struct cause *cause);

/* Returns whether the descriptor is a listening TCP socket, of IPv4 or IPv6. */
bool address_is_listening(int descriptor);

/* Writes the address to which a socket is bound, with "?" for unknown parts. */
void address_bound(int descriptor, char text[ADDRESS_TEXT_MAX]);

/* Returns what identifies a peer's host: its address, without the port. `own` is the address that
 * the peer has reached. Of IPv6, one host may have all addresses of a 64-bit network, so such a
 * network counts as one host unless `own` is in it. */
struct origin_key address_key(const struct sockaddr *address, const struct sockaddr *own);

#endif
