/* Browses the network for `_ludus._tcp` (DNS-SD), through the Avahi daemon of this machine. */
#ifndef LUDUS_LAN_BROWSER_H
#define LUDUS_LAN_BROWSER_H

#include "found.h"

/* Writes every server that is found into the pipe, as a struct found, until nobody reads there any
 * more. Returns at once where no daemon runs, but waits for one that hangs as long as D-Bus does:
 * up to 25 s. */
void browser_run(int pipe);

#endif
