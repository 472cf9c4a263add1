/*
 * The service manager that has started the server, if one has: what it hands over and what it is
 * told. Speaks systemd's protocol as sd_notify(3) and sd_listen_fds(3) document it: a datagram of
 * NAME=VALUE lines to the socket $NOTIFY_SOCKET, and sockets from descriptor 3 on. That is less
 * code than a dependency on libsystemd would be work for who builds this.
 */
#ifndef LUDUS_SYSTEMD_H
#define LUDUS_SYSTEMD_H

#include <stdbool.h>
#include <stdint.h>

enum { SERVICE_FIRST_DESCRIPTOR = 3 };

struct service {
    char notify[108];    /* path of the socket, or @ and an abstract name; "": nobody listens */
    int listen_count;    /* so many sockets were handed over, from SERVICE_FIRST_DESCRIPTOR on */
    int64_t watchdog_ms; /* it must hear something so often; 0: need not */
};

/* Reads what the environment says to this process, and takes it out, so that no child believes it
 * was meant. */
void service_read(struct service *service);

/* Sends a state, such as "READY=1". Does nothing when nobody listens; false when it fails. */
bool service_tell(const struct service *service, const char *state);

/* Tells that the configuration is being read again. READY=1 must follow. */
void service_tell_reloading(const struct service *service);

#endif
