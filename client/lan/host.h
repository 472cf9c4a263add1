/*
 * A server for the evening: a ludusd of one's own, open to the network, that lives no longer than
 * this process, however that ends.
 */
#ifndef LUDUS_LAN_HOST_H
#define LUDUS_LAN_HOST_H

#include <stdbool.h>
#include <sys/types.h>

#include "client/link/link.h"
#include "common/cause.h"

enum { HOST_CODE_MAX = 64, HOST_INVITATION_MAX = 480 };

struct host {
    pid_t pid;
    int output;                           /* what it writes to standard output */
    char address[LINK_ADDRESS_MAX];       /* for this machine */
    char code[HOST_CODE_MAX];             /* the join code; "": there is none */
    char invitation[HOST_INVITATION_MAX]; /* what a friend types: "ludus join 192.168.1.5 ..." */
    bool on_network;                      /* the friend may be at another machine */
    bool keeps;                           /* matches are still there another time */
};

/* Starts the ludusd beside this program, or else the one in PATH, and waits until it can be used,
 * 20 s at most: on port 7117, or a free one where that is taken; with the usual store, or none
 * where another server has that. False with the cause; then there is nothing to stop. */
bool host_start(struct host *host, struct cause *cause);

/* The join code, borrowed; NULL: there is none. */
const char *host_code(const struct host *host);

/* Ends the server as SIGTERM does, and waits until it is gone. */
void host_stop(struct host *host);

#endif
