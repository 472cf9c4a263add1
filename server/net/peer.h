/*
 * Peers: what identifies the host at the other end of a connection, and the trusted proxies, which
 * say for whom they connect or ask: by the PROXY protocol, or by the headers Forwarded (RFC 7239)
 * and X-Forwarded-For. Text and addresses only, without sockets.
 */
#ifndef LUDUS_PEER_H
#define LUDUS_PEER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/text.h"
#include "server/model/origin.h"

struct sockaddr;

/* Returns what identifies a peer's host: its address, without the port. `own` is the address that
 * the peer has reached. Of IPv6, one host may have all addresses of a 64-bit network, so such a
 * network counts as one host unless `own` is in it. */
struct origin_key address_key(const struct sockaddr *address, const struct sockaddr *own);

/* The address of a peer that a proxy names; IPv4 as mapped into IPv6. */
struct peer_address {
    unsigned char bytes[ORIGIN_KEY_BYTES];
    bool known;
};

/* Returns what identifies its host, which is on no network of the server. */
struct origin_key peer_key(const struct peer_address *peer);

enum { NETWORKS_MAX = 32 };

/* Networks of addresses; one address has all bits. IPv4 is kept as mapped into IPv6. */
struct networks {
    struct network {
        unsigned char bytes[ORIGIN_KEY_BYTES];
        int bits;
    } list[NETWORKS_MAX];
    int count;
};

/* Adds those of a list ADDR[/BITS][,ADDR[/BITS]]... False with the cause. */
bool networks_add(struct networks *networks, const char *text, struct cause *cause);

/* Returns whether an address is in one of them; NULL: there are none. */
bool networks_have(const struct networks *networks, const struct sockaddr *address);

bool networks_have_peer(const struct networks *networks, const struct peer_address *peer);

enum proxy_header {
    PROXY_ABSENT,  /* something else is at the front */
    PROXY_PARTIAL, /* more has to come to know */
    PROXY_BROKEN,  /* what begins as a header and is none */
    PROXY_ITSELF,  /* the proxy connects for itself, such as to see whether the server is well */
    PROXY_PEER     /* for a peer */
};

enum { PROXY_HEADER_MAX = 2048 }; /* bytes that this one looks at; longer ones are broken */

/* Reads the header of the PROXY protocol, version 1 or 2, at the front of what has come; *size is
 * how much of that it is. */
enum proxy_header proxy_read(const char *bytes, size_t length, size_t *size,
                             struct peer_address *peer);

/* The way of a request from proxy to proxy, as a list in its headers tells, from the first to the
 * last hop. */
struct hops {
    const struct networks *trusted; /* borrowed */
    struct peer_address peer;       /* the last one that is not trusted, so far */
};

/* Takes the next value of a header of such hops. */
void hops_add_forwarded(struct hops *hops, const char *value, size_t length);
void hops_add_x_forwarded(struct hops *hops, const char *value, size_t length);

#endif
