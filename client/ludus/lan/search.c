#include "search.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client/link/clock_ms.h"
#include "common/text.h"

/* Copies the word at which `text` begins; returns what follows it. */
static const char *take_word(const char *text, char *word, size_t size)
{
    text += strspn(text, " \t");
    size_t length = strcspn(text, " \t");
    snprintf(word, size, "%.*s", (int)length, text);
    return text + length;
}

static int hex_digit(char letter)
{
    const char *digits = "0123456789abcdef", *at = strchr(digits, letter | ' ');

    return letter != '\0' && at != NULL ? (int)(at - digits) : -1;
}

/* Undoes the escapes %XX in place. */
static void unescape(char *text)
{
    char *end = text;

    for (; *text != '\0'; text++) {
        int high = *text == '%' ? hex_digit(text[1]) : -1;
        int low = high >= 0 ? hex_digit(text[2]) : -1;
        *end++ = (char)(low >= 0 ? high * 16 + low : *text);
        text += low >= 0 ? 2 : 0;
    }
    *end = '\0';
}

/* Reads the address of a page; false for other words. Pages over TLS share the port of TLS. */
static bool read_page(const char *word, struct pasted *pasted)
{
    bool tls = strncmp(word, "https://", 8) == 0;
    const char *host = word + (tls ? 8 : 7), *code = strstr(word, "#code=");

    if (!tls && strncmp(word, "http://", 7) != 0)
        return false;
    snprintf(pasted->address, sizeof pasted->address, "%s%.*s", tls ? "tls://" : "",
             (int)strcspn(host, "/#?"), host);
    snprintf(pasted->code, sizeof pasted->code, "%s", code != NULL ? code + strlen("#code=") : "");
    unescape(pasted->code);
    return true;
}

/* Reads the words that follow `ludus join`, options among them. */
static void read_words(const char *line, struct pasted *pasted)
{
    char word[LINK_ADDRESS_MAX];

    while (line = take_word(line, word, sizeof word), word[0] != '\0') {
        if (strcmp(word, "--code") == 0)
            line = take_word(line, pasted->code, sizeof pasted->code);
        else if (strncmp(word, "--code=", 7) == 0)
            snprintf(pasted->code, sizeof pasted->code, "%.*s", HELLO_CODE_MAX - 1, word + 7);
        else if (word[0] != '-' && pasted->address[0] == '\0' && !read_page(word, pasted))
            snprintf(pasted->address, sizeof pasted->address, "%s", word);
    }
}

void pasted_read(const char *line, struct pasted *pasted)
{
    char word[LINK_ADDRESS_MAX];
    const char *join = strstr(line, "join "), *rest = take_word(line, word, sizeof word);

    *pasted = (struct pasted){.address = ""};
    if (join != NULL)
        read_words(join + strlen("join "), pasted);
    else if (rest[strspn(rest, " \t")] != '\0' || !read_page(word, pasted))
        read_words(line, pasted);
    if (pasted->code[0] == '\0')
        snprintf(pasted->code, sizeof pasted->code, "%.*s", HELLO_CODE_MAX - 1, pasted->address);
}

void found_add(struct found_list *found, const struct beacon_server *about, const char *host)
{
    int i = 0;

    while (i < found->count && strcmp(found->list[i].about.id, about->id) != 0)
        i++;
    if (i == FOUND_MAX || (i < found->count && strncmp(found->list[i].host, "127.", 4) != 0))
        return;
    struct found *entry = &found->list[i];
    found->count += i == found->count;
    entry->about = *about;
    utf8_clean(entry->about.name);
    utf8_clean(entry->about.version);
    utf8_clean(entry->about.games);
    snprintf(entry->host, sizeof entry->host, "%s", host);
}

static int by_name(const void *a, const void *b)
{
    const struct found *one = a, *other = b;
    int order = strcmp(one->about.name, other->about.name);

    return order != 0 ? order : strcmp(one->about.id, other->about.id);
}

void found_address(const struct found *server, char address[LINK_ADDRESS_MAX])
{
    bool tls = server->about.tls_port != 0;
    int port = tls ? server->about.tls_port : server->about.port;
    const char *prefix = tls ? "tls://" : "";

    if (port == (tls ? DEFAULT_TLS_PORT : DEFAULT_PORT))
        snprintf(address, LINK_ADDRESS_MAX, "%s%s", prefix, server->host);
    else
        snprintf(address, LINK_ADDRESS_MAX, "%s%s:%d", prefix, server->host, port);
}

void found_describe(const struct found *server, char line[FOUND_LINE_MAX])
{
    char address[LINK_ADDRESS_MAX];

    found_address(server, address);
    snprintf(line, FOUND_LINE_MAX, "%.100s  %s  %s%s", address, server->about.name,
             server->about.code ? _("with a join code  ") : "", server->about.games);
}

enum { AGAIN_MS = 500 }; /* datagrams get lost, so ask again after this time */

struct search {
    int fd;
    char nonce[BEACON_NONCE_MAX];
    struct found_list *found;
};

/* Asks on the network of one of this machine's addresses. */
static void ask_from(const struct search *search, const struct ifaddrs *entry)
{
    const struct sockaddr_in *own = (const void *)entry->ifa_addr;
    const struct ip_mreqn by = {.imr_address = own->sin_addr,
                                .imr_ifindex = (int)if_nametoindex(entry->ifa_name)};
    struct sockaddr_in group = {.sin_family = AF_INET, .sin_port = htons(BEACON_PORT)};
    char question[BEACON_QUESTION_BYTES];

    inet_pton(AF_INET, BEACON_GROUP, &group.sin_addr);
    beacon_write_question(search->nonce, question);
    if (setsockopt(search->fd, IPPROTO_IP, IP_MULTICAST_IF, &by, sizeof by) == 0)
        (void)sendto(search->fd, question, sizeof question, MSG_DONTWAIT,
                     (const struct sockaddr *)&group, sizeof group);
}

static void ask_all(const struct search *search)
{
    struct ifaddrs *list;

    if (getifaddrs(&list) != 0)
        return;
    for (const struct ifaddrs *entry = list; entry != NULL; entry = entry->ifa_next)
        if (entry->ifa_addr != NULL && entry->ifa_addr->sa_family == AF_INET &&
            (entry->ifa_flags & IFF_UP) != 0)
            ask_from(search, entry);
    freeifaddrs(list);
}

/* Reads one datagram, and adds the server if it is an answer. */
static void read_answer(const struct search *search)
{
    char datagram[BEACON_DATAGRAM_MAX + 1], host[FOUND_HOST_MAX];
    struct beacon_server about;
    struct sockaddr_in from = {.sin_family = AF_INET};
    socklen_t length = sizeof from;
    ssize_t bytes = recvfrom(search->fd, datagram, sizeof datagram, MSG_DONTWAIT,
                             (struct sockaddr *)&from, &length);

    if (bytes >= 0 && beacon_read_answer(datagram, (size_t)bytes, search->nonce, &about) &&
        inet_ntop(AF_INET, &from.sin_addr, host, sizeof host) != NULL)
        found_add(search->found, &about, host);
}

static void run_search(const struct search *search, int duration_ms)
{
    struct pollfd fds[] = {{.fd = search->fd, .events = POLLIN}};
    int64_t now_ms = clock_ms(), end_ms = now_ms + duration_ms, ask_ms = now_ms;

    for (; now_ms < end_ms; now_ms = clock_ms()) {
        if (now_ms >= ask_ms) {
            ask_all(search);
            ask_ms = now_ms + AGAIN_MS;
        }
        if (poll(fds, 1, (int)((ask_ms < end_ms ? ask_ms : end_ms) - now_ms)) > 0)
            read_answer(search);
    }
}

void lan_search(struct found_list *found, int duration_ms)
{
    struct search search = {.fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), .found = found};

    *found = (struct found_list){.count = 0};
    if (search.fd < 0)
        return;
    unsigned char bytes[8] = {0};
    (void)!getrandom(bytes, sizeof bytes, 0);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(search.nonce + 2 * i, 3, "%02x", bytes[i]);
    run_search(&search, duration_ms);
    close(search.fd);
    /* Answers come in any order. */
    qsort(found->list, (size_t)found->count, sizeof found->list[0], by_name);
}

bool lan_is_loopback(const char *address)
{
    static const char *const prefixes[] = {"localhost",       "127.",       "[::1]",
                                           "tls://localhost", "tls://127.", "tls://[::1]"};

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(address, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/* Whether somebody listens at one of this machine's own addresses, which is known at once. */
static bool answers_at(struct sockaddr_in own, int port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    own.sin_port = htons((uint16_t)port);
    bool answers = fd >= 0 && connect(fd, (const struct sockaddr *)&own, sizeof own) == 0;
    if (fd >= 0)
        close(fd);
    return answers;
}

bool lan_address_of(const char *loopback, char address[LINK_ADDRESS_MAX])
{
    const char *colon = loopback[0] != '[' ? strchr(loopback, ':') : strstr(loopback, "]:");
    struct ifaddrs *list;
    bool found = false;
    long port = DEFAULT_PORT;

    if (colon != NULL)
        colon += *colon == ']';
    if ((colon != NULL && !number_parse(colon + 1, strlen(colon + 1), 1, 65535, &port)) ||
        getifaddrs(&list) != 0)
        return false;
    for (const struct ifaddrs *entry = list; entry != NULL && !found; entry = entry->ifa_next) {
        char host[FOUND_HOST_MAX];
        if (entry->ifa_addr == NULL || entry->ifa_addr->sa_family != AF_INET ||
            (entry->ifa_flags & (IFF_UP | IFF_LOOPBACK)) != IFF_UP)
            continue;
        const struct sockaddr_in *own = (const void *)entry->ifa_addr;
        if (inet_ntop(AF_INET, &own->sin_addr, host, sizeof host) == NULL ||
            !answers_at(*own, (int)port))
            continue;
        snprintf(address, LINK_ADDRESS_MAX, "%s:%ld", host, port);
        found = true;
    }
    freeifaddrs(list);
    return found;
}
