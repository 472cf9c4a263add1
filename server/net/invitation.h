/* What the host of an open server tells the others: under which addresses they reach it. */
#ifndef LUDUS_INVITATION_H
#define LUDUS_INVITATION_H

#include <stdbool.h>

/* Prints, for an address ADDR:PORT that is listened on, a line to type for each address under which
 * other machines reach it, the likeliest first: for all addresses (0.0.0.0 or [::]) those of this
 * machine's networks, for loopback none. `code` is "" where none is needed; tls: TLS is spoken
 * there. */
void invitation_print(const char *bound, const char *code, bool tls);

/* How likely others are on the network of an interface of that name: 0, or 1 for those that
 * containers, virtual machines and tunnels are on. */
int invitation_rank(const char *interface);

#endif
