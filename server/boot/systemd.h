/*
 * The service manager that may have started the server: what it hands over, and what it is told.
 * This is systemd's protocol (sd_notify(3), sd_listen_fds(3)): datagrams of NAME=VALUE lines to the
 * socket $NOTIFY_SOCKET, and sockets from descriptor 3 on. It needs too little code to be worth a
 * dependency on libsystemd.
 */
#ifndef LUDUS_SYSTEMD_H
#define LUDUS_SYSTEMD_H

#include <stdbool.h>
#include <stdint.h>

enum { SERVICE_FIRST_DESCRIPTOR = 3 };

struct service {
    char notify[108];    /* path of the socket, or @ and an abstract name; "": none */
    int listen_count;    /* sockets handed over, from SERVICE_FIRST_DESCRIPTOR on */
    int64_t watchdog_ms; /* the longest silence that it allows; 0: any */
};

/* Reads the variables that are meant for this process, and unsets them for its children. */
void service_read(struct service *service);

/* Sends a state, such as "READY=1". Without a service manager it does nothing. False with errno. */
bool service_tell(const struct service *service, const char *state);

/* Reports that the configuration is being reloaded. READY=1 must follow. */
void service_tell_reloading(const struct service *service);

#endif
