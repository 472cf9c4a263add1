/*
 * Looks for servers on the networks of this machine: asks by the beacon (common/beacon.h), and
 * browses for `_ludus._tcp` where an Avahi daemon runs. Both go on at once, in one loop that
 * Avahi's library provides and that lasts as long as it is told to.
 */
#ifndef LUDUS_LAN_SEARCH_H
#define LUDUS_LAN_SEARCH_H

#include "found.h"

enum { SEARCH_MS = 2000 };

/* Fills *found with all servers that answer within the time, in milliseconds. False when nothing
 * could be asked: memory or descriptors have run out. */
bool lan_search(struct found_list *found, int duration_ms);

#endif
