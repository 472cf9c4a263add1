#include "known_host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "identity.h"

enum { RECORD_BYTES = 512 };

/* Looks the server up; false when it is not there. */
static bool find(FILE *file, const char *server, char fingerprint[RECORD_BYTES])
{
    size_t length = strlen(server);
    char line[RECORD_BYTES];

    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, server, length) == 0 && line[length] == ' ') {
            snprintf(fingerprint, RECORD_BYTES, "%s", line + length + 1);
            return true;
        }
    }
    return false;
}

static enum known_host add(const char *path, const char *server, const char *fingerprint,
                           struct cause *cause)
{
    mode_t mask = umask(077);
    FILE *file = fopen(path, "ae");

    umask(mask);
    bool good = file != NULL && fprintf(file, "%s %s\n", server, fingerprint) > 0;
    if (file != NULL && fclose(file) != 0)
        good = false;
    if (good)
        return KNOWN_HOST_NEW;
    cause_set(cause, "%.150s: %s", path, strerror(errno));
    return KNOWN_HOST_FAILED;
}

enum known_host known_host_check(const char *server, const char *fingerprint, struct cause *cause)
{
    char path[PATH_MAX], known[RECORD_BYTES];

    if (!identity_path("known_hosts", path, cause))
        return KNOWN_HOST_FAILED;
    FILE *file = fopen(path, "re");
    if (file == NULL && errno != ENOENT) {
        cause_set(cause, "%.150s: %s", path, strerror(errno));
        return KNOWN_HOST_FAILED;
    }
    bool found = file != NULL && find(file, server, known);
    if (file != NULL)
        fclose(file);
    if (!found)
        return add(path, server, fingerprint, cause);
    return strcmp(known, fingerprint) == 0 ? KNOWN_HOST_SAME : KNOWN_HOST_OTHER;
}
