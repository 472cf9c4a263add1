/* Asks for servers by the beacon (common/beacon.h), on every network of this machine. */
#ifndef LUDUS_LAN_ASKING_H
#define LUDUS_LAN_ASKING_H

#include <avahi-common/watch.h>

#include "found.h"

struct asking;

/* Asks now and some times more, as long as the loop runs; answers are added to *found. Both are
 * borrowed. NULL when there is no socket to ask by. */
struct asking *asking_open(const AvahiPoll *loop, struct found_list *found);

/* Before the loop is freed. NULL is allowed. */
void asking_close(struct asking *asking);

#endif
