#include "advert.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/game.h"
#include "common/number.h"

enum { SECOND_US = 1000000 };

/* Writes the name of this machine without its domain, in characters that the beacon may send. */
static void machine_name(char name[BEACON_NAME_MAX])
{
    if (gethostname(name, BEACON_NAME_MAX) != 0)
        name[0] = '\0';
    name[BEACON_NAME_MAX - 1] = '\0';
    name[strcspn(name, ".")] = '\0';
    for (char *c = name; *c != '\0'; c++)
        if (*c <= ' ' || *c > '~')
            *c = '-';
    if (name[0] == '\0')
        snprintf(name, BEACON_NAME_MAX, "somewhere");
}

/* Writes the games that fit: the list is for people only. */
static void list_games(char list[BEACON_GAMES_MAX])
{
    size_t used = 0;

    list[0] = '\0';
    for (int i = 0; games[i] != NULL && used + strlen(games[i]->name) + 2 < BEACON_GAMES_MAX; i++)
        used += (size_t)snprintf(list + used, BEACON_GAMES_MAX - used, "%s%s", i > 0 ? "," : "",
                                 games[i]->name);
}

static bool is_loopback(uint32_t address)
{
    return ntohl(address) >> 24 == 127;
}

/* Adds an address if other machines may reach it. */
static void add_place(struct advert *advert, const char *bound, bool tls)
{
    const char *colon = strrchr(bound, ':');
    char host[ADDRESS_TEXT_MAX];
    struct in_addr address;
    long port;

    if (colon == NULL || !number_parse(colon + 1, strlen(colon + 1), 1, 65535, &port))
        return;
    snprintf(host, sizeof host, "%.*s", (int)(colon - bound), bound);
    if (inet_pton(AF_INET, host, &address) == 1 && !is_loopback(address.s_addr))
        advert->places[advert->place_count++] =
            (struct advert_place){.address = address.s_addr, .port = (int)port, .tls = tls};
}

void advert_make(struct advert *advert, const struct listen_addresses *addresses,
                 const struct server *server)
{
    struct beacon_server *about = &advert->about;

    *advert = (struct advert){.place_count = 0};
    random_hex(about->id, 16);
    machine_name(about->name);
    list_games(about->games);
    snprintf(about->version, sizeof about->version, "%s", LUDUS_VERSION);
    about->code = server->code[0] != '\0';
    for (int i = 0; i < addresses->count; i++)
        add_place(advert, addresses->list[i].bound, addresses->list[i].tls);
}

static void set_port(struct beacon_server *about, const struct advert_place *place)
{
    int *port = place->tls ? &about->tls_port : &about->port;

    if (*port == 0)
        *port = place->port;
}

bool advert_at(const struct advert *advert, uint32_t address, struct beacon_server *about)
{
    *about = advert->about;
    for (int i = 0; i < advert->place_count; i++)
        if (advert->places[i].address == 0 || advert->places[i].address == address)
            set_port(about, &advert->places[i]);
    return about->port != 0 || about->tls_port != 0;
}

static uint32_t ipv4_of(const struct sockaddr *address)
{
    return ((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr;
}

static void add_attached(struct attached_list *attached, const struct ifaddrs *entry)
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
            add_attached(attached, entry);
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

bool beacon_may_answer(struct beacon_limit *limit, uint32_t address, int64_t now_ms)
{
    const int64_t one_us = SECOND_US / BEACON_ADDRESS_RATE, all_us = SECOND_US / BEACON_ALL_RATE;
    /* Fibonacci hashing gives neighbouring addresses different buckets. */
    struct bucket *own = &limit->address[(address * 2654435769u) >> 24];

    if (bucket_wait_ms(own, now_ms, one_us, one_us * BEACON_ADDRESS_BURST) > 0 ||
        bucket_wait_ms(&limit->all, now_ms, all_us, all_us * BEACON_ALL_BURST) > 0)
        return false;
    bucket_take(own, now_ms, one_us);
    bucket_take(&limit->all, now_ms, all_us);
    return true;
}
