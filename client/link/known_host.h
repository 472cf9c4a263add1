/*
 * Trust on first use, as in ssh, for servers whose certificate this machine does not trust: their
 * keys are remembered in the file known_hosts of the state directory (identity.h), a record
 * "HOST:PORT FINGERPRINT" each. To forget a server, remove its line.
 */
#ifndef LUDUS_KNOWN_HOST_H
#define LUDUS_KNOWN_HOST_H

#include <stdbool.h>

#include "common/cause.h"

enum known_host {
    KNOWN_HOST_SAME,  /* the remembered key */
    KNOWN_HOST_NEW,   /* an unknown server; its key is remembered now */
    KNOWN_HOST_OTHER, /* another key: somebody may intercept the connection */
    KNOWN_HOST_FAILED /* the file cannot be read or written; with the cause */
};

/* Compares the key of a server with the remembered one. Neither text contains a space. */
enum known_host known_host_check(const char *server, const char *fingerprint, struct cause *cause);

#endif
