/* Reads a text pasted where an address or a code is asked for: the whole line that a host has sent.
 */
#ifndef LUDUS_LAN_PASTED_H
#define LUDUS_LAN_PASTED_H

#include "client/link/uplink.h"

struct pasted {
    char address[LINK_ADDRESS_MAX]; /* as --connect takes it; "": none */
    char code[HELLO_CODE_MAX];      /* the address where there is no other word */
};

/* Reads "ludus join HOST[:PORT] --code CODE", the address of a page "http://HOST:PORT/#code=CODE",
 * or a single word, which may be either and is both then. */
void pasted_read(const char *line, struct pasted *pasted);

#endif
