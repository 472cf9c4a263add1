/* A tick each second, for parts whose words change with the time. */
#ifndef LUDUS_SCREEN_TICKER_H
#define LUDUS_SCREEN_TICKER_H

#include "client/talk/client.h"

/* From now on client_wait() returns each second at the latest. Where the system has no timers it
 * does not. Only one part at a time may tick. */
void ticker_start(struct client *client);
void ticker_stop(struct client *client);

#endif
