#include "advert.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/game.h"
#include "common/number.h"

/* The name of the machine, without its domain, in letters that the beacon may send. */
static void own_name(char name[BEACON_NAME_MAX])
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

/* What does not fit is left out: the games are told for people only. */
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

/* Takes a place that other machines may reach. */
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
    own_name(about->name);
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
