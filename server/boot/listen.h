/*
 * Listens where the options say, and on the sockets that the service manager has handed over.
 * Prints each address on standard output.
 */
#ifndef LUDUS_LISTEN_H
#define LUDUS_LISTEN_H

#include "options.h"
#include "server/net/loop.h"

/* Listens on all addresses and adds them to the list. `handed_over` sockets are open from
 * SERVICE_FIRST_DESCRIPTOR on. The certificate is borrowed; NULL: no TLS. False with the cause. */
bool listen_everywhere(struct listen_addresses *addresses, struct loop *loop,
                       const struct options *options, struct ssl_ctx_st *certificate,
                       int handed_over, struct cause *cause);

/* Has the house bots connect to the first address, by loopback if that is a wildcard. */
void listen_for_bots(const struct listen_addresses *addresses, struct house_bots *house);

#endif
