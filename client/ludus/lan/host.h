/*
 * A server of the player's own: a ludusd that never outlives this process, open to the network for
 * an evening, or private on loopback.
 */
#ifndef LUDUS_LAN_HOST_H
#define LUDUS_LAN_HOST_H

#include <stdbool.h>
#include <sys/types.h>

#include "client/link/link.h"
#include "common/text.h"

enum { HOST_CODE_MAX = 64, HOST_INVITATION_MAX = 480, HOST_PAGE_MAX = 320 };

/* The server to start. */
struct host_terms {
    bool lan;           /* open to the network, with a join code */
    bool private_store; /* its store is not the usual one, but that of the private server */
    bool new_code;      /* replaces the join code that the store keeps */
};

struct host {
    struct host_terms terms;
    pid_t pid;
    int output;                           /* its standard output */
    char address[LINK_ADDRESS_MAX];       /* as seen from this machine */
    char code[HOST_CODE_MAX];             /* the join code; "": none */
    char invitation[HOST_INVITATION_MAX]; /* the line for a friend: "ludus join 192.168.1.5 ..." */
    char page[HOST_PAGE_MAX];             /* its page for browsers, with the code; "": none */
    bool on_network;                      /* reachable from other machines */
    bool keeps;                           /* it stores matches */
};

/* Starts the ludusd next to this program, or else the one in PATH, and waits at most 20 s until it
 * is ready. Open to the network it takes port 7117, or any free port if that is taken; private, a
 * free one. It gets no store if another server uses the one meant. False with the cause; then there
 * is nothing to stop. */
bool host_start(struct host *host, const struct host_terms *terms, struct cause *cause);

/* Ends the server by SIGTERM and waits until it is gone. */
void host_stop(struct host *host);

#endif
