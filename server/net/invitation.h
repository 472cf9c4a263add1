/* Invites others to an open server: its join code, and the addresses where they reach it. */
#ifndef LUDUS_INVITATION_H
#define LUDUS_INVITATION_H

#include "address.h"

enum { JOIN_CODE_LETTERS = 8 };

/* Lower-case letters and digits, without those that look alike (0 o, 1 i l). */
extern const char join_code_letters[32];

/* Writes a random code. There are 31 to the power of 8 codes, which is 39.6 bits. */
void join_code_make(char code[JOIN_CODE_LETTERS + 1]);

struct invitation {
    const char *code; /* "" if none is required */
    bool web;         /* the server has a page for browsers */
    bool qr;          /* show the likeliest address of the page as a QR code, on a terminal */
};

/* Prints the commands that others may type to join, and the addresses of the page: one for each
 * address under which other machines reach the server, the likeliest first. 0.0.0.0 and [::] stand
 * for the addresses of this machine's networks; loopback has none. */
void invitation_print(const struct listen_addresses *addresses,
                      const struct invitation *invitation);

/* Ranks an interface by its name: 0, or 1 for containers, virtual machines and tunnels, on which
 * other players are unlikely. */
int invitation_rank(const char *interface);

#endif
