#include "lan.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <event2/event.h>
#include <ifaddrs.h>
#include <langinfo.h>
#include <locale.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/game.h"
#include "common/ports.h"
#include "common/qr_code.h"
#include "common/text.h"
#include "common/xmalloc.h"
#include "server/base/log.h"
#include "stream.h"

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
    if (inet_pton(AF_INET, host, &address) == 1 && ntohl(address.s_addr) >> 24 != 127)
        advert->places[advert->place_count++] =
            (struct advert_place){.address = address.s_addr, .port = (int)port, .tls = tls};
}

void advert_make(struct advert *advert, const struct listen_addresses *addresses,
                 const struct server *server)
{
    struct beacon_server *about = &advert->about;
    size_t used = 0;

    *advert = (struct advert){.place_count = 0};
    random_hex(about->id, 16);
    machine_name(about->name);
    for (int i = 0; games[i] != NULL && used + strlen(games[i]->name) + 2 < BEACON_GAMES_MAX; i++)
        used += (size_t)snprintf(about->games + used, BEACON_GAMES_MAX - used, "%s%s",
                                 i > 0 ? "," : "", games[i]->name);
    snprintf(about->version, sizeof about->version, "%s", LUDUS_VERSION);
    about->code = server->code[0] != '\0';
    for (int i = 0; i < addresses->count; i++)
        add_place(advert, addresses->list[i].bound, addresses->list[i].tls);
}

bool advert_at(const struct advert *advert, uint32_t address, struct beacon_server *about)
{
    *about = advert->about;
    for (int i = 0; i < advert->place_count; i++) {
        const struct advert_place *place = &advert->places[i];
        int *port = place->tls ? &about->tls_port : &about->port;
        if (*port == 0 && (place->address == 0 || place->address == address))
            *port = place->port;
    }
    return about->port != 0 || about->tls_port != 0;
}

static uint32_t ipv4_of(const struct sockaddr *address)
{
    return ((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr;
}

void attached_read(struct attached_list *attached)
{
    struct ifaddrs *list;

    if (getifaddrs(&list) != 0)
        return;
    attached->count = 0;
    for (const struct ifaddrs *entry = list; entry != NULL; entry = entry->ifa_next) {
        if (entry->ifa_addr == NULL || entry->ifa_netmask == NULL ||
            entry->ifa_addr->sa_family != AF_INET || (entry->ifa_flags & IFF_UP) == 0)
            continue;
        int interface = (int)if_nametoindex(entry->ifa_name);
        if (interface > 0 && attached->count < ATTACHED_MAX)
            attached->list[attached->count++] =
                (struct attached){interface, ipv4_of(entry->ifa_addr), ipv4_of(entry->ifa_netmask)};
    }
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
    bucket_take(own, now_ms, one_us, one_us * BEACON_ADDRESS_BURST);
    bucket_take(&limit->all, now_ms, all_us, all_us * BEACON_ALL_BURST);
    return true;
}

enum {
    LOOK_S = 10,            /* between looks for new networks */
    DATAGRAMS_PER_TURN = 16 /* before players get their turn */
};

struct beacon_listener {
    struct server *server; /* borrowed */
    struct advert advert;
    int fd;
    struct event *datagram, *interval;
    struct attached_list attached;
    struct beacon_limit limit;
};

/* A question as it arrived. */
struct beacon_question {
    struct sockaddr_in from;
    int interface;
    size_t bytes;
    char datagram[BEACON_DATAGRAM_MAX + 1]; /* the extra byte reveals longer ones */
};

/* Room for one control message. */
union control_message {
    char bytes[CMSG_SPACE(sizeof(struct in_pktinfo))];
    struct cmsghdr aligned;
};

static void on_interval(evutil_socket_t fd, short what, void *context)
{
    struct beacon_listener *listener = context;

    (void)fd, (void)what;
    attached_read(&listener->attached);
    for (int i = 0; i < listener->attached.count; i++) {
        struct ip_mreqn request = {.imr_ifindex = listener->attached.list[i].interface};
        inet_pton(AF_INET, BEACON_GROUP, &request.imr_multiaddr);
        setsockopt(listener->fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &request, sizeof request);
    }
}

/* Returns the interface by which a datagram arrived; 0: unknown. */
static int interface_of(struct msghdr *message)
{
    struct in_pktinfo info;

    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL;
         part = CMSG_NXTHDR(message, part))
        if (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_PKTINFO) {
            memcpy(&info, CMSG_DATA(part), sizeof info);
            return info.ipi_ifindex;
        }
    return 0;
}

/* Reads a datagram. False when none is left. */
static bool receive_question(const struct beacon_listener *listener, struct beacon_question *asked)
{
    union control_message control;
    struct iovec data = {asked->datagram, sizeof asked->datagram};
    struct msghdr message = {.msg_name = &asked->from,
                             .msg_namelen = sizeof asked->from,
                             .msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t bytes = recvmsg(listener->fd, &message, MSG_DONTWAIT);

    if (bytes < 0)
        return false;
    asked->bytes = (size_t)bytes;
    asked->interface = interface_of(&message);
    return true;
}

/* Sends from the address by which the peer reaches this machine, whatever the routes say. */
static void send_beacon_answer(const struct beacon_listener *listener, const struct attached *own,
                               const struct sockaddr_in *to, char *answer, size_t length)
{
    const struct in_pktinfo info = {.ipi_ifindex = own->interface,
                                    .ipi_spec_dst.s_addr = own->address};
    union control_message control = {.bytes = {0}};
    struct iovec data = {answer, length};
    struct msghdr message = {.msg_name = (void *)to,
                             .msg_namelen = sizeof *to,
                             .msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *part = CMSG_FIRSTHDR(&message);

    part->cmsg_level = IPPROTO_IP;
    part->cmsg_type = IP_PKTINFO;
    part->cmsg_len = CMSG_LEN(sizeof info);
    memcpy(CMSG_DATA(part), &info, sizeof info);
    (void)sendmsg(listener->fd, &message,
                  MSG_DONTWAIT | MSG_NOSIGNAL); /* the peer will ask again */
}

/* Ignores peers on no network of this machine: their addresses are forged. */
static void answer_question(struct beacon_listener *listener, const struct beacon_question *asked)
{
    char nonce[BEACON_NONCE_MAX], text[BEACON_DATAGRAM_MAX];
    struct beacon_server about;

    if (!beacon_read_question(asked->datagram, asked->bytes, nonce))
        return;
    uint32_t peer = asked->from.sin_addr.s_addr;
    const struct attached *own = attached_find(&listener->attached, asked->interface, peer);
    if (own == NULL || !advert_at(&listener->advert, own->address, &about))
        return;
    size_t length = beacon_write_answer(&about, nonce, asked->bytes, text);
    now_set(listener->server);
    if (length > 0 && beacon_may_answer(&listener->limit, peer, listener->server->now_ms))
        send_beacon_answer(listener, own, &asked->from, text, length);
}

static void on_datagram(evutil_socket_t fd, short what, void *context)
{
    struct beacon_listener *listener = context;
    struct beacon_question asked;

    (void)fd, (void)what;
    for (int i = 0; i < DATAGRAMS_PER_TURN && receive_question(listener, &asked); i++)
        answer_question(listener, &asked);
}

/* Opens a socket that receives only what is sent to the group. Other servers on this machine may
 * have one, too. */
static int open_beacon_socket(void)
{
    const int one = 1, zero = 0;
    struct sockaddr_in group = {.sin_family = AF_INET, .sin_port = htons(BEACON_PORT)};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    inet_pton(AF_INET, BEACON_GROUP, &group.sin_addr);
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
        setsockopt(fd, IPPROTO_IP, IP_MULTICAST_ALL, &zero, sizeof zero) == 0 &&
        setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &one, sizeof one) == 0 &&
        bind(fd, (const struct sockaddr *)&group, sizeof group) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

struct beacon_listener *beacon_listener_open(struct event_base *base,
                                             const struct listen_addresses *addresses,
                                             struct server *server)
{
    struct beacon_listener *listener = xcalloc(1, sizeof *listener);

    listener->server = server;
    advert_make(&listener->advert, addresses, server);
    if (listener->advert.place_count == 0) {
        log_line(LOG_INFO, "event=not-announced reason=\"no address on the network: see --lan and "
                           "--listen\"");
        free(listener);
        return NULL;
    }
    listener->fd = open_beacon_socket();
    bool watched = listener->fd >= 0;
    if (watched) {
        const struct timeval interval = {.tv_sec = LOOK_S};
        listener->datagram =
            event_new(base, listener->fd, EV_READ | EV_PERSIST, on_datagram, listener);
        listener->interval = event_new(base, -1, EV_PERSIST, on_interval, listener);
        watched = event_add(listener->datagram, NULL) == 0 &&
                  event_add(listener->interval, &interval) == 0;
    }
    if (!watched) {
        log_line(LOG_WARN, "event=no-beacon error=%s", log_quote(strerror(errno)).text);
        beacon_listener_close(listener);
        return NULL;
    }
    on_interval(-1, 0, listener);
    return listener;
}

void beacon_listener_close(struct beacon_listener *listener)
{
    if (listener == NULL)
        return;
    if (listener->fd >= 0) {
        event_free(listener->datagram);
        event_free(listener->interval);
        close(listener->fd);
    }
    free(listener);
}

enum { PAGE_MAX = 320 }; /* bytes of the address of a page */

/* All that others need but the address. */
struct join_way {
    const char *port;
    bool tls;
    const struct invitation *invitation;
    char *page; /* of PAGE_MAX: the first one that is printed */
};

/* Prints the address of the page. The code is in the fragment, which browsers send to no server. */
static void print_page(const char *address, const struct join_way *way)
{
    const char *code = way->invitation->code;
    char page[PAGE_MAX];
    size_t length = (size_t)snprintf(page, sizeof page, "http%s://%s:%s/%s", way->tls ? "s" : "",
                                     address, way->port, code[0] != '\0' ? "#code=" : "");

    for (; *code != '\0' && length + 4 < sizeof page; code++)
        length +=
            (size_t)snprintf(page + length, sizeof page - length,
                             isalnum((unsigned char)*code) ? "%c" : "%%%02X", (unsigned char)*code);
    printf("ludusd: or in a browser: %s\n", page);
    if (way->page[0] == '\0')
        snprintf(way->page, PAGE_MAX, "%s", page);
}

/* `ludus join` knows the default ports. */
static void print_command(const char *address, const struct join_way *way)
{
    bool usual = strcmp(way->port, way->tls ? DEFAULT_TLS_PORT_TEXT : DEFAULT_PORT_TEXT) == 0;
    const char *code = way->invitation->code;

    printf("ludusd: others join with: ludus join %s%s%s%s%s%s\n", way->tls ? "tls://" : "", address,
           usual ? "" : ":", usual ? "" : way->port, code[0] != '\0' ? " --code " : "", code);
    if (way->invitation->web)
        print_page(address, way);
}

/* Writes an address, an IPv6 one in brackets. False for other families and for addresses that other
 * machines cannot use: loopback and link-local ones. */
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

int invitation_rank(const char *interface)
{
    static const char *const prefixes[] = {"docker",  "br-", "veth",   "virbr", "vmnet",
                                           "vboxnet", "lxc", "lxd",    "tun",   "tap",
                                           "wg",      "zt",  "podman", "cni",   "tailscale"};

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(interface, prefixes[i], strlen(prefixes[i])) == 0)
            return 1;
    return 0;
}

/* Writes the source address of the default route; "" for none. Connecting a datagram socket sends
 * nothing. The peers are in the networks for documentation (RFC 5737, RFC 3849). */
static void find_default_source(int family, char text[64])
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(9)};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(9)};
    struct sockaddr *address = family == AF_INET ? (void *)&in : (void *)&in6;
    socklen_t length = family == AF_INET ? sizeof in : sizeof in6;
    int fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    text[0] = '\0';
    inet_pton(AF_INET, "192.0.2.1", &in.sin_addr);
    inet_pton(AF_INET6, "2001:db8::1", &in6.sin6_addr);
    if (fd >= 0 && connect(fd, address, length) == 0 && getsockname(fd, address, &length) == 0)
        format_address(&(struct ifaddrs){.ifa_addr = address}, family, text);
    if (fd >= 0)
        close(fd);
}

/* Prints the address of the default route first, those of containers and tunnels last. */
static void print_networks(int family, const struct join_way *way)
{
    enum { RANKS = 3 };
    struct ifaddrs *list;
    char text[64], usual[64];

    if (getifaddrs(&list) != 0)
        return;
    find_default_source(family, usual);
    for (int rank = 0; rank < RANKS; rank++)
        for (const struct ifaddrs *entry = list; entry != NULL; entry = entry->ifa_next)
            if (format_address(entry, family, text) &&
                (strcmp(text, usual) == 0 ? 0 : 1 + invitation_rank(entry->ifa_name)) == rank)
                print_command(text, way);
    freeifaddrs(list);
}

static void print_listen_address(const char *bound, const struct join_way *way)
{
    char host[ADDRESS_TEXT_MAX];

    snprintf(host, sizeof host, "%.*s", (int)(way->port - bound) - 1, bound);
    if (strcmp(host, "0.0.0.0") == 0)
        print_networks(AF_INET, way);
    else if (strcmp(host, "[::]") == 0)
        print_networks(AF_INET6, way);
    else if (strncmp(host, "127.", 4) != 0 && strcmp(host, "[::1]") != 0)
        print_command(host, way);
}

static bool has_utf8_locale(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool utf8 = locale != (locale_t)0 && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;

    if (locale != (locale_t)0)
        freelocale(locale);
    return utf8;
}

void invitation_print(const struct listen_addresses *addresses, const struct invitation *invitation)
{
    const char *terminal = getenv("TERM");
    char page[PAGE_MAX] = "";
    struct qr_code code;

    for (int i = 0; i < addresses->count; i++) {
        const char *bound = addresses->list[i].bound;
        print_listen_address(bound, &(struct join_way){strrchr(bound, ':') + 1,
                                                       addresses->list[i].tls, invitation, page});
    }
    if (invitation->qr && page[0] != '\0' && isatty(STDOUT_FILENO) && terminal != NULL &&
        strcmp(terminal, "dumb") != 0 && qr_code_make(&code, page))
        qr_code_print(&code, stdout, has_utf8_locale());
}
