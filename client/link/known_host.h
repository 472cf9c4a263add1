/*
 * Which key a server had when it was met first: what ssh does. For servers whose certificate nobody
 * has signed that this machine trusts.
 *
 * The keys are in $XDG_STATE_HOME/ludus/known_hosts (~/.local/state/ludus/known_hosts), a line
 * "HOST:PORT FINGERPRINT" each. To forget a server, remove its line.
 */
#ifndef LUDUS_KNOWN_HOST_H
#define LUDUS_KNOWN_HOST_H

#include <stdbool.h>

#include "common/cause.h"

enum known_host {
    KNOWN_HOST_SAME,  /* it has the key it had */
    KNOWN_HOST_NEW,   /* it was not met before, and its key is kept now */
    KNOWN_HOST_OTHER, /* it has another key: somebody may sit in between */
    KNOWN_HOST_FAILED /* the file cannot be read or written; with the cause */
};

/* Compares the key of a server with what is kept. Neither text holds a space. */
enum known_host known_host_check(const char *server, const char *fingerprint, struct cause *cause);

#endif
