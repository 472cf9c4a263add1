/* Addresses of the network as text: ADDR:PORT, [ADDR]:PORT for IPv6. */
#ifndef LUDUS_ADDRESS_H
#define LUDUS_ADDRESS_H

#include <netdb.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/cause.h"
#include "server/model/origin.h"

/* Finds the addresses to listen on; the port may be 0. The caller frees the list with
 * freeaddrinfo(). False with the cause. */
bool address_resolve(const char *text, struct addrinfo **list, struct cause *cause);

/* Whether the descriptor is a TCP socket, of IPv4 or IPv6, that listens. */
bool address_is_listening(int descriptor);

/* Writes the address to which a socket is bound into text[size], "?" for what is not known. */
void address_bound(int descriptor, char *text, size_t size);

/* Where a peer comes from, without its port; `own` is the address he has reached. Neighbours, in
 * the same IPv6 network of 64 bits as that, are told apart; of a network elsewhere all addresses
 * are one, for one host has as many of them as it likes. */
struct origin_key address_key(const struct sockaddr *address, const struct sockaddr *own);

#endif
