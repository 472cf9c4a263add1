/*
 * Tells of the server by DNS-SD, as a service `_ludus._tcp`, through the Avahi daemon of this
 * machine: whoever browses the network finds it. Without a daemon, or without D-Bus, nothing
 * happens but one line in the log; once they come, or come back, the server is told of.
 *
 * Avahi's client library waits for the daemon's answers when something is published, which is at
 * the start and when the daemon comes back: lan.c has it in a process of its own.
 */
#ifndef LUDUS_DNS_SD_H
#define LUDUS_DNS_SD_H

#include "advert.h"

struct event_base;
struct dns_sd;

/* The advert is borrowed. NULL when memory ran out. */
struct dns_sd *dns_sd_open(struct event_base *base, const struct advert *advert);

/* Takes the service back; before the event base goes. NULL is allowed. */
void dns_sd_close(struct dns_sd *dns_sd);

#endif
