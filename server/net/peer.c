#include "peer.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct in6_addr *ipv6_of(const struct sockaddr *address)
{
    return &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
}

static void map_ipv4(unsigned char bytes[ORIGIN_KEY_BYTES], const void *address)
{
    static const unsigned char mapped[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

    memcpy(bytes, mapped, sizeof mapped);
    memcpy(bytes + sizeof mapped, address, 4);
}

enum { NETWORK_BYTES = 8 };

/* Returns the key of an IPv6 or mapped address; of a neighbour all bytes of it identify a host. */
static struct origin_key key_of(const unsigned char bytes[ORIGIN_KEY_BYTES], bool neighbour)
{
    struct origin_key key = {.bytes = {0}};
    struct in6_addr in6;

    memcpy(&in6, bytes, sizeof in6);
    if (IN6_IS_ADDR_LOOPBACK(&in6))
        map_ipv4(key.bytes, (const unsigned char[]){127, 0, 0, 1});
    else
        memcpy(key.bytes, bytes,
               IN6_IS_ADDR_V4MAPPED(&in6) || neighbour ? ORIGIN_KEY_BYTES : NETWORK_BYTES);
    return key;
}

struct origin_key address_key(const struct sockaddr *address, const struct sockaddr *own)
{
    unsigned char bytes[ORIGIN_KEY_BYTES];
    bool neighbour = false;

    map_ipv4(bytes, (const unsigned char[]){0, 0, 0, 0});
    if (address->sa_family == AF_INET)
        map_ipv4(bytes, &((const struct sockaddr_in *)(const void *)address)->sin_addr);
    if (address->sa_family == AF_INET6) {
        memcpy(bytes, ipv6_of(address), sizeof bytes);
        neighbour = own->sa_family == AF_INET6 && memcmp(bytes, ipv6_of(own), NETWORK_BYTES) == 0;
    }
    return key_of(bytes, neighbour);
}

struct origin_key peer_key(const struct peer_address *peer)
{
    return key_of(peer->bytes, false);
}

/* Reads an IPv4 or IPv6 address without anything around it. */
static bool read_address(const char *text, size_t length, struct peer_address *address)
{
    char copy[INET6_ADDRSTRLEN];
    struct in_addr in;

    *address = (struct peer_address){.known = false};
    if (length >= sizeof copy || memchr(text, '\0', length) != NULL)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    address->known = inet_pton(AF_INET6, copy, address->bytes) == 1;
    if (!address->known && inet_pton(AF_INET, copy, &in) == 1) {
        map_ipv4(address->bytes, &in);
        address->known = true;
    }
    return address->known;
}

static bool read_network(const char *text, size_t length, struct network *network)
{
    const char *slash = memchr(text, '/', length);
    size_t address_length = slash != NULL ? (size_t)(slash - text) : length;
    struct peer_address address;

    if (!read_address(text, address_length, &address))
        return false;
    memcpy(network->bytes, address.bytes, sizeof network->bytes);
    int most = memchr(text, ':', address_length) == NULL ? 32 : 128;
    long bits = most;
    if (slash != NULL && !number_parse(slash + 1, length - address_length - 1, 0, most, &bits))
        return false;
    network->bits = (int)bits + 128 - most;
    return true;
}

bool networks_add(struct networks *networks, const char *text, struct cause *cause)
{
    for (size_t length; *text != '\0'; text += length + (text[length] == ',')) {
        length = strcspn(text, ",");
        if (networks->count == NETWORKS_MAX)
            return cause_set(cause, "at most %d addresses", NETWORKS_MAX);
        if (!read_network(text, length, &networks->list[networks->count]))
            return cause_set(cause,
                             "invalid address '%.*s': write ADDR or ADDR/BITS, such as 127.0.0.1 "
                             "or 10.0.0.0/8",
                             length < 60 ? (int)length : 60, text);
        networks->count++;
    }
    return true;
}

static bool network_has(const struct network *network, const unsigned char bytes[ORIGIN_KEY_BYTES])
{
    int whole = network->bits / 8, rest = network->bits % 8;

    return memcmp(network->bytes, bytes, (size_t)whole) == 0 &&
           (rest == 0 || (network->bytes[whole] ^ bytes[whole]) >> (8 - rest) == 0);
}

static bool networks_have_bytes(const struct networks *networks,
                                const unsigned char bytes[ORIGIN_KEY_BYTES])
{
    for (int i = 0; i < networks->count; i++)
        if (network_has(&networks->list[i], bytes))
            return true;
    return false;
}

bool networks_have(const struct networks *networks, const struct sockaddr *address)
{
    const struct sockaddr_in *in = (const void *)address;
    unsigned char bytes[ORIGIN_KEY_BYTES];

    if (networks == NULL || (address->sa_family != AF_INET && address->sa_family != AF_INET6))
        return false;
    if (address->sa_family == AF_INET)
        map_ipv4(bytes, &in->sin_addr);
    else
        memcpy(bytes, ipv6_of(address), sizeof bytes);
    return networks_have_bytes(networks, bytes);
}

bool networks_have_peer(const struct networks *networks, const struct peer_address *peer)
{
    return networks != NULL && peer->known && networks_have_bytes(networks, peer->bytes);
}

/* Version 1 is a line: PROXY TCP4 SOURCE DESTINATION PORT PORT. */
static enum proxy_header read_version_1(const char *bytes, size_t length, size_t *size,
                                        struct peer_address *peer)
{
    enum { LINE_MAX_1 = 107 }; /* with its end */
    char line[LINE_MAX_1 + 1], family[5], source[40], target[40], more;
    unsigned from, to;
    const char *end = memchr(bytes, '\n', length < LINE_MAX_1 ? length : LINE_MAX_1);

    if (end == NULL)
        return length < LINE_MAX_1 ? PROXY_PARTIAL : PROXY_BROKEN;
    *size = (size_t)(end - bytes) + 1;
    if (*size < 2 || end[-1] != '\r')
        return PROXY_BROKEN;
    memcpy(line, bytes, *size - 2);
    line[*size - 2] = '\0';
    if (strncmp(line, "PROXY UNKNOWN", 13) == 0 && (line[13] == '\0' || line[13] == ' '))
        return PROXY_ITSELF;
    if (sscanf(line, "PROXY %4s %39s %39s %5u %5u%c", family, source, target, &from, &to, &more) !=
            5 ||
        !read_address(source, strlen(source), peer) ||
        strcmp(family, strchr(source, ':') == NULL ? "TCP4" : "TCP6") != 0)
        return PROXY_BROKEN;
    return PROXY_PEER;
}

static const char signature_2[] = "\r\n\r\n\0\r\nQUIT\n";

enum { SIGNATURE_BYTES = 12, HEAD_BYTES = 16 };

/* Version 2 is binary: a signature, a command, a family, a length, and as many bytes as that says,
 * which begin with the addresses. */
static enum proxy_header read_version_2(const char *bytes, size_t length, size_t *size,
                                        struct peer_address *peer)
{
    const unsigned char *head = (const unsigned char *)bytes;

    if (length < HEAD_BYTES)
        return PROXY_PARTIAL;
    size_t rest = (size_t)head[14] << 8 | head[15];
    *size = HEAD_BYTES + rest;
    if (head[12] >> 4 != 2 || (head[12] & 15) > 1 || *size > PROXY_HEADER_MAX)
        return PROXY_BROKEN;
    if (length < *size)
        return PROXY_PARTIAL;
    if ((head[12] & 15) == 0 || head[13] == 0)
        return PROXY_ITSELF;
    peer->known = true;
    if (head[13] == 0x11 && rest >= 12) /* TCP over IPv4 */
        map_ipv4(peer->bytes, head + HEAD_BYTES);
    else if (head[13] == 0x21 && rest >= 36) /* TCP over IPv6 */
        memcpy(peer->bytes, head + HEAD_BYTES, sizeof peer->bytes);
    else
        peer->known = false;
    return peer->known ? PROXY_PEER : PROXY_BROKEN;
}

enum proxy_header proxy_read(const char *bytes, size_t length, size_t *size,
                             struct peer_address *peer)
{
    static const char word[] = "PROXY ";
    size_t word_bytes = sizeof word - 1;

    if (memcmp(bytes, word, length < word_bytes ? length : word_bytes) == 0)
        return length < word_bytes ? PROXY_PARTIAL : read_version_1(bytes, length, size, peer);
    if (memcmp(bytes, signature_2, length < SIGNATURE_BYTES ? length : SIGNATURE_BYTES) == 0)
        return length < SIGNATURE_BYTES ? PROXY_PARTIAL : read_version_2(bytes, length, size, peer);
    return PROXY_ABSENT;
}

/* A hop that has no address hides who was before it. Of those that are trusted the first one counts
 * until one comes that is not. */
static void add_hop(struct hops *hops, const char *text, size_t length)
{
    struct peer_address address;
    const char *end;

    if (length > 1 && text[0] == '"' && text[length - 1] == '"')
        text++, length -= 2;
    if (length > 0 && text[0] == '[' && (end = memchr(text, ']', length)) != NULL) {
        length = (size_t)(end - text) - 1; /* and perhaps a port behind it */
        text++;
    } else if ((end = memchr(text, ':', length)) != NULL &&
               memchr(end + 1, ':', length - (size_t)(end - text) - 1) == NULL) {
        length = (size_t)(end - text); /* IPv4 with a port */
    }
    if (!read_address(text, length, &address) || !hops->peer.known ||
        !networks_have_peer(hops->trusted, &address))
        hops->peer = address;
}

/* Cuts the next element off a list, without blanks around it. False at the end. */
static bool next_element(const char **text, size_t *length, char separator, const char **element,
                         size_t *size)
{
    if (*text == NULL)
        return false;
    const char *end = memchr(*text, separator, *length);
    *element = *text;
    *size = end != NULL ? (size_t)(end - *text) : *length;
    *text = end != NULL ? end + 1 : NULL;
    *length -= end != NULL ? *size + 1 : *length;
    while (*size > 0 && isspace((unsigned char)**element))
        ++*element, --*size;
    while (*size > 0 && isspace((unsigned char)(*element)[*size - 1]))
        --*size;
    return true;
}

void hops_add_x_forwarded(struct hops *hops, const char *value, size_t length)
{
    const char *hop;
    size_t size;

    while (next_element(&value, &length, ',', &hop, &size))
        add_hop(hops, hop, size);
}

void hops_add_forwarded(struct hops *hops, const char *value, size_t length)
{
    const char *hop, *pair;
    size_t size, pair_size;

    while (next_element(&value, &length, ',', &hop, &size)) {
        const char *address = "";
        size_t address_size = 0;
        while (next_element(&hop, &size, ';', &pair, &pair_size))
            if (pair_size > 4 && strncasecmp(pair, "for=", 4) == 0)
                address = pair + 4, address_size = pair_size - 4;
        add_hop(hops, address, address_size);
    }
}
