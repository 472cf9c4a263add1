#include "known_host.h"

#include <string.h>

#include "identity.h"

static const char file[] = "known_hosts";

enum known_host known_host_check(const char *server, const char *fingerprint, struct cause *cause)
{
    char known[RECORD_MAX];

    switch (record_load(file, server, known, cause)) {
    case RECORD_FOUND:
        return strcmp(known, fingerprint) == 0 ? KNOWN_HOST_SAME : KNOWN_HOST_OTHER;
    case RECORD_MISSING:
        return record_save(file, server, fingerprint, cause) ? KNOWN_HOST_NEW : KNOWN_HOST_FAILED;
    default:
        return KNOWN_HOST_FAILED;
    }
}
