#include "invitation.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

/* How one gets in, but for the address. */
struct way {
    const char *port, *code;
    bool tls;
};

static void print_line(const char *address, const struct way *way)
{
    printf("ludusd: others join with: ludus --connect %s%s:%s%s%s\n", way->tls ? "tls://" : "",
           address, way->port, way->code[0] != '\0' ? " --code " : "", way->code);
}

/* The text of an address, in brackets where it is IPv6. False for what no other machine can use:
 * loopback, and addresses that are good on one link only. */
static bool format_address(const struct ifaddrs *entry, int family, char text[64])
{
    char host[INET6_ADDRSTRLEN];

    if (entry->ifa_addr == NULL || entry->ifa_addr->sa_family != family ||
        entry->ifa_flags & IFF_LOOPBACK)
        return false;
    if (family == AF_INET) {
        const struct sockaddr_in *in = (const void *)entry->ifa_addr;
        return inet_ntop(AF_INET, &in->sin_addr, text, 64) != NULL;
    }
    const struct sockaddr_in6 *in6 = (const void *)entry->ifa_addr;
    if (IN6_IS_ADDR_LINKLOCAL(&in6->sin6_addr) ||
        inet_ntop(AF_INET6, &in6->sin6_addr, host, sizeof host) == NULL)
        return false;
    snprintf(text, 64, "[%s]", host);
    return true;
}

static void print_all(int family, const struct way *way)
{
    struct ifaddrs *list, *entry;
    char text[64];

    if (getifaddrs(&list) != 0)
        return;
    for (entry = list; entry != NULL; entry = entry->ifa_next)
        if (format_address(entry, family, text))
            print_line(text, way);
    freeifaddrs(list);
}

void invitation_print(const char *bound, const char *code, bool tls)
{
    const struct way way = {strrchr(bound, ':') + 1, code, tls};
    char host[128];

    snprintf(host, sizeof host, "%.*s", (int)(way.port - bound) - 1, bound);
    if (strcmp(host, "0.0.0.0") == 0)
        print_all(AF_INET, &way);
    else if (strcmp(host, "[::]") == 0)
        print_all(AF_INET6, &way);
    else if (strncmp(host, "127.", 4) != 0 && strcmp(host, "[::1]") != 0)
        print_line(host, &way);
}
