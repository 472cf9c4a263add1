/*
 * Playing on a local network. The beacon (common/beacon.h), by which `ludus join` finds the server:
 * it receives questions on every network of this machine, including those that come up later, and
 * answers peers on them with the server's name and ports, up to a rate. And the invitation: what
 * the server prints that others may type.
 */
#ifndef LUDUS_LAN_H
#define LUDUS_LAN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/beacon.h"
#include "listener.h"
#include "server/base/limits.h"
#include "server/play/server.h"

struct beacon_listener;
struct event_base;

/* Answers for a server that listens on those addresses and is borrowed. NULL, with a line in the
 * log, if other machines cannot reach them or the system refuses. */
struct beacon_listener *beacon_listener_open(struct event_base *base,
                                             const struct listen_addresses *addresses,
                                             struct server *server);

/* Stops answering. Call it before loop_free(). NULL is allowed. */
void beacon_listener_close(struct beacon_listener *listener);

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

/* Parts of the beacon, which tests drive without a network. */

struct advert_place {
    uint32_t address; /* IPv4, in network byte order; 0: all */
    int port;
    bool tls;
};

struct advert {
    struct beacon_server about; /* ports: 0 until advert_at() */
    struct advert_place places[LISTEN_MAX];
    int place_count; /* 0: other machines cannot reach the server by IPv4 */
};

/* Describes a server with a new id, under the name of this machine. */
void advert_make(struct advert *advert, const struct listen_addresses *addresses,
                 const struct server *server);

/* Describes the server with the ports that peers find at that IPv4 address of this machine, in
 * network byte order. False when the server does not listen there. */
bool advert_at(const struct advert *advert, uint32_t address, struct beacon_server *about);

enum { ATTACHED_MAX = 64 };

/* An IPv4 address of this machine, in network byte order. */
struct attached {
    int interface; /* its index */
    uint32_t address, mask;
};

struct attached_list {
    struct attached list[ATTACHED_MAX];
    int count;
};

/* Reads the addresses of the interfaces that are up, at most ATTACHED_MAX. If the system refuses,
 * the list stays as it is. */
void attached_read(struct attached_list *attached);

/* Returns the address by which a peer on a network of that interface reaches this machine, or NULL
 * if the peer is on no such network. */
const struct attached *attached_find(const struct attached_list *attached, int interface,
                                     uint32_t peer);

enum {
    BEACON_ADDRESSES = 256,   /* buckets; addresses may share one */
    BEACON_ADDRESS_RATE = 2,  /* answers a second to one address */
    BEACON_ADDRESS_BURST = 6, /* at once */
    BEACON_ALL_RATE = 50,     /* answers a second to all addresses, which may be forged */
    BEACON_ALL_BURST = 100    /* at once */
};

/* All zero: nothing was answered yet. */
struct beacon_limit {
    struct bucket all, address[BEACON_ADDRESSES];
};

/* Returns whether a question from that IPv4 address may be answered now, and counts the answer. */
bool beacon_may_answer(struct beacon_limit *limit, uint32_t address, int64_t now_ms);

#endif
