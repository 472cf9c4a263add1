/* Browses the network for `_ludus._tcp` (DNS-SD), through the Avahi daemon of this machine. */
#ifndef LUDUS_LAN_BROWSING_H
#define LUDUS_LAN_BROWSING_H

#include <avahi-common/watch.h>

#include "found.h"

struct browsing;

/* Browses as long as the loop runs; what is found is added to *found. Both are borrowed. NULL when
 * no daemon runs here. */
struct browsing *browsing_open(const AvahiPoll *loop, struct found_list *found);

/* Before the loop is freed. NULL is allowed. */
void browsing_close(struct browsing *browsing);

#endif
