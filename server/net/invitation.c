#include "invitation.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <ifaddrs.h>
#include <langinfo.h>
#include <locale.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/ports.h"
#include "common/qr_code.h"

const char join_code_letters[] = "abcdefghjkmnpqrstuvwxyz23456789";

void join_code_make(char code[JOIN_CODE_LETTERS + 1])
{
    for (int i = 0; i < JOIN_CODE_LETTERS; i++)
        code[i] = join_code_letters[randombytes_uniform(sizeof join_code_letters - 1)];
    code[JOIN_CODE_LETTERS] = '\0';
}

enum { PAGE_MAX = 320 }; /* bytes of the address of a page */

/* All that others need but the address. */
struct way {
    const char *port;
    bool tls;
    const struct invitation *invitation;
    char *page; /* of PAGE_MAX: the first one that is printed */
};

/* Prints the address of the page. The code is in the fragment, which browsers send to no server. */
static void print_page(const char *address, const struct way *way)
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
static void print_line(const char *address, const struct way *way)
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
static void find_usual(int family, char text[64])
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

/* The address of the default route comes first, those of containers and tunnels last. */
static int rank_of(const struct ifaddrs *entry, const char *text, const char *usual)
{
    return strcmp(text, usual) == 0 ? 0 : 1 + invitation_rank(entry->ifa_name);
}

static void print_all(int family, const struct way *way)
{
    enum { RANKS = 3 };
    struct ifaddrs *list;
    char text[64], usual[64];

    if (getifaddrs(&list) != 0)
        return;
    find_usual(family, usual);
    for (int rank = 0; rank < RANKS; rank++)
        for (const struct ifaddrs *entry = list; entry != NULL; entry = entry->ifa_next)
            if (format_address(entry, family, text) && rank_of(entry, text, usual) == rank)
                print_line(text, way);
    freeifaddrs(list);
}

static void print_address(const char *bound, const struct way *way)
{
    char host[ADDRESS_TEXT_MAX];

    snprintf(host, sizeof host, "%.*s", (int)(way->port - bound) - 1, bound);
    if (strcmp(host, "0.0.0.0") == 0)
        print_all(AF_INET, way);
    else if (strcmp(host, "[::]") == 0)
        print_all(AF_INET6, way);
    else if (strncmp(host, "127.", 4) != 0 && strcmp(host, "[::1]") != 0)
        print_line(host, way);
}

static bool is_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool utf8 = locale != (locale_t)0 && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;

    if (locale != (locale_t)0)
        freelocale(locale);
    return utf8;
}

static void print_code(const char *page)
{
    const char *terminal = getenv("TERM");
    struct qr_code code;

    if (page[0] != '\0' && isatty(STDOUT_FILENO) && terminal != NULL &&
        strcmp(terminal, "dumb") != 0 && qr_code_make(&code, page))
        qr_code_print(&code, stdout, is_utf8());
}

void invitation_print(const struct listen_addresses *addresses, const struct invitation *invitation)
{
    char page[PAGE_MAX] = "";

    for (int i = 0; i < addresses->count; i++) {
        const char *bound = addresses->list[i].bound;
        print_address(bound, &(struct way){strrchr(bound, ':') + 1, addresses->list[i].tls,
                                           invitation, page});
    }
    if (invitation->qr)
        print_code(page);
}
