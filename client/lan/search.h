/* Looks for servers by the beacon (common/beacon.h), on all IPv4 networks of this machine. */
#ifndef LUDUS_LAN_SEARCH_H
#define LUDUS_LAN_SEARCH_H

#include "found.h"

enum { SEARCH_MS = 2000 };

/* Searches for that long, in milliseconds, and fills *found with all servers that answer, sorted by
 * found_order(). Finds none if no socket can be opened. */
void lan_search(struct found_list *found, int duration_ms);

#endif
