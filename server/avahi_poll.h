/*
 * The event loop as Avahi wants to see it: its watches and timeouts as events of libevent
 * (avahi-common/watch.h says what each function promises). It knows nothing of what they are for.
 */
#ifndef LUDUS_AVAHI_POLL_H
#define LUDUS_AVAHI_POLL_H

#include <avahi-common/watch.h>

struct event_base;

/* Everything made through it lives on that base, and must be freed before the base is. The caller
 * owns it, in the place where it is: Avahi keeps its address. */
AvahiPoll avahi_poll_on(struct event_base *base);

#endif
