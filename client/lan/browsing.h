/* Browses the network for servers (browser.h) in a process of its own, as a daemon that hangs would
 * hold its caller up for longer than a search lasts. */
#ifndef LUDUS_LAN_BROWSING_H
#define LUDUS_LAN_BROWSING_H

#include <avahi-common/watch.h>

#include "found.h"

struct browsing;

/* Browses as long as the loop runs; what is found is added to *found. Both are borrowed. NULL when
 * there can be no such process. Not to be called where there are threads. */
struct browsing *browsing_open(const AvahiPoll *loop, struct found_list *found);

/* Before the loop is freed. NULL is allowed. */
void browsing_close(struct browsing *browsing);

#endif
