/*
 * A server of the player's own: a ludusd that never outlives this process, open to the network for
 * an evening, or private on loopback.
 *
 * Other programs of the player find the one that has the private store by a note, the file
 * private.server of the state directory (identity.h): a record "MACHINE PID PORT CODE", with - for
 * no join code. It is believed on that machine only, for several may share the directory, and as
 * long as that process is the ludusd of this user that has the store.
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
    bool borrowed; /* another program of the player started it, and ends it */
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
 * is ready; one that *host has is ended before. Open to the network it takes port 7117, or any free
 * port if that is taken; private, a free one, unless one runs already: that is borrowed. It gets no
 * store if another server uses the one meant. False with the cause; then there is nothing to stop.
 */
bool host_start(struct host *host, const struct host_terms *terms, struct cause *cause);

/* Borrows the private server of another program of the player; false when none runs. */
bool host_find(struct host *host);

/* Whether the server still runs. Waits for its end for at most that long. */
bool host_outlives(const struct host *host, int wait_ms);

/* Ends the server by SIGTERM and waits until it is gone. One that is borrowed goes on. */
void host_stop(struct host *host);

#endif
