#include "systemd.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/number.h"
#include "server/base/tally.h"
#include "server/net/address.h"

/* Returns the number in an environment variable, or 0. */
static long read_number(const char *name, long max)
{
    const char *text = getenv(name);
    long number = 0;

    if (text != NULL)
        number_parse(text, strlen(text), 0, max, &number);
    return number;
}

/* Returns whether a variable names this process, or `otherwise` if it is not set. */
static bool is_meant(const char *name, bool otherwise)
{
    return getenv(name) == NULL ? otherwise : read_number(name, INT32_MAX) == getpid();
}

void service_read(struct service *service)
{
    static const char *const names[] = {"NOTIFY_SOCKET",  "LISTEN_PID",   "LISTEN_FDS",
                                        "LISTEN_FDNAMES", "WATCHDOG_PID", "WATCHDOG_USEC"};
    const char *notify = getenv("NOTIFY_SOCKET");

    *service = (struct service){.notify = ""};
    if (notify != NULL && (notify[0] == '/' || notify[0] == '@') &&
        strlen(notify) < sizeof service->notify)
        snprintf(service->notify, sizeof service->notify, "%s", notify);
    if (is_meant("LISTEN_PID", false))
        service->listen_count = (int)read_number("LISTEN_FDS", LISTEN_MAX);
    if (is_meant("WATCHDOG_PID", true))
        service->watchdog_ms = read_number("WATCHDOG_USEC", LONG_MAX) / 1000;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
}

bool service_tell(const struct service *service, const char *state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(service->notify);

    if (length == 0)
        return true;
    memcpy(address.sun_path, service->notify, length);
    if (address.sun_path[0] == '@')
        address.sun_path[0] = '\0';
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        return false;
    ssize_t sent =
        sendto(descriptor, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address,
               (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
    close(descriptor);
    return sent == (ssize_t)strlen(state);
}

void service_tell_reloading(const struct service *service)
{
    char state[80];

    snprintf(state, sizeof state, "RELOADING=1\nMONOTONIC_USEC=%" PRId64, tally_now_us());
    service_tell(service, state);
}
