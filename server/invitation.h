/* What the host of an open server tells the others: under which addresses they reach it. */
#ifndef LUDUS_INVITATION_H
#define LUDUS_INVITATION_H

#include <stdbool.h>

/* Prints, for an address ADDR:PORT that is listened on, a line to type for each address under which
 * other machines reach it: for all addresses (0.0.0.0 or [::]) those of this machine's networks,
 * for loopback none. `code` is "" where none is needed; tls: TLS is spoken there. */
void invitation_print(const char *bound, const char *code, bool tls);

#endif
