#include "attached.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>

static uint32_t ipv4_of(const struct sockaddr *address)
{
    return ((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr;
}

static void add(struct attached_list *attached, const struct ifaddrs *entry)
{
    int interface = (int)if_nametoindex(entry->ifa_name);

    if (interface > 0 && attached->count < ATTACHED_MAX)
        attached->list[attached->count++] =
            (struct attached){interface, ipv4_of(entry->ifa_addr), ipv4_of(entry->ifa_netmask)};
}

void attached_read(struct attached_list *attached)
{
    struct ifaddrs *list;

    if (getifaddrs(&list) != 0)
        return;
    attached->count = 0;
    for (const struct ifaddrs *entry = list; entry != NULL; entry = entry->ifa_next)
        if (entry->ifa_addr != NULL && entry->ifa_netmask != NULL &&
            entry->ifa_addr->sa_family == AF_INET && (entry->ifa_flags & IFF_UP) != 0)
            add(attached, entry);
    freeifaddrs(list);
}

const struct attached *attached_find(const struct attached_list *attached, int interface,
                                     uint32_t peer)
{
    for (int i = 0; i < attached->count; i++) {
        const struct attached *own = &attached->list[i];
        if (own->interface == interface && (own->address & own->mask) == (peer & own->mask))
            return own;
    }
    return NULL;
}
