/*
 * What the beacon tells of a server: its name, and the ports on which other machines reach it under
 * each of this machine's addresses.
 */
#ifndef LUDUS_ADVERT_H
#define LUDUS_ADVERT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/beacon.h"
#include "listen_addresses.h"
#include "server/play/server.h"

struct advert_place {
    uint32_t address; /* IPv4, in the order of the network; 0: all */
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

/* Fills in the ports for one who reaches this machine under that IPv4 address (in the order of the
 * network). False when the server does not listen there. */
bool advert_at(const struct advert *advert, uint32_t address, struct beacon_server *about);

#endif
