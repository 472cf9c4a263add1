/*
 * The server's side of the beacon (common/beacon.h): hears the questions on every network of this
 * machine, also on those that come up later, and answers the ones that come from there. It knows
 * libevent.
 */
#ifndef LUDUS_BEACON_LISTENER_H
#define LUDUS_BEACON_LISTENER_H

#include "advert.h"
#include "common/cause.h"

struct event_base;
struct beacon_listener;

/* Answers for the server that the advert, which is borrowed, describes. NULL with the cause. */
struct beacon_listener *beacon_listener_open(struct event_base *base, const struct advert *advert,
                                             struct cause *cause);

/* Answers no more; before the event base goes. NULL is allowed. */
void beacon_listener_close(struct beacon_listener *listener);

#endif
