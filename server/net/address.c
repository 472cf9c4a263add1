#include "address.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

bool address_resolve(const char *text, struct addrinfo **list, struct cause *cause)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    const char *colon = strrchr(text, ':');
    char host[ADDRESS_TEXT_MAX];

    if (colon == NULL || colon == text || colon[1] == '\0' || strlen(text) >= sizeof host)
        return cause_set(cause, "%.100s: invalid address: write ADDR:PORT, such as 127.0.0.1:7117",
                         text);
    bool bracketed = text[0] == '[' && colon[-1] == ']';
    snprintf(host, sizeof host, "%.*s", (int)(colon - text) - 2 * bracketed, text + bracketed);
    int error = getaddrinfo(host, colon + 1, &hints, list);
    if (error != 0)
        return cause_set(cause, "%.100s: %s", text, gai_strerror(error));
    return true;
}

void address_bound(int descriptor, char text[ADDRESS_TEXT_MAX])
{
    struct sockaddr_storage address = {.ss_family = AF_UNSPEC};
    socklen_t length = sizeof address;
    char host[ADDRESS_TEXT_MAX - 16] = "?", port[8] = "?";

    getsockname(descriptor, (struct sockaddr *)&address, &length);
    getnameinfo((struct sockaddr *)&address, length, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(text, ADDRESS_TEXT_MAX, address.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host,
             port);
}

bool address_is_listening(int descriptor)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address, length = sizeof(int);
    int type = 0, listens = 0;

    return getsockname(descriptor, (struct sockaddr *)&address, &size) == 0 &&
           (address.ss_family == AF_INET || address.ss_family == AF_INET6) &&
           getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0 &&
           type == SOCK_STREAM &&
           getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens;
}

static const struct in6_addr *address6(const struct sockaddr *address)
{
    return &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
}

enum { NETWORK_BYTES = 8 };

/* Returns how many bytes of an IPv6 address identify a host. */
static size_t host_bytes(const struct sockaddr *address, const struct sockaddr *own)
{
    const struct in6_addr *in6 = address6(address);

    if (IN6_IS_ADDR_V4MAPPED(in6))
        return ORIGIN_KEY_BYTES;
    bool neighbour = own->sa_family == AF_INET6 && memcmp(in6, address6(own), NETWORK_BYTES) == 0;
    return neighbour ? ORIGIN_KEY_BYTES : NETWORK_BYTES;
}

struct origin_key address_key(const struct sockaddr *address, const struct sockaddr *own)
{
    struct origin_key key = {.bytes = {[10] = 0xff, [11] = 0xff}}; /* of a mapped IPv4 address */
    const struct sockaddr_in *in = (const void *)address;

    if (address->sa_family == AF_INET) {
        memcpy(key.bytes + 12, &in->sin_addr, 4);
    } else if (address->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(address6(address))) {
        memcpy(key.bytes + 12, (const unsigned char[]){127, 0, 0, 1}, 4);
    } else if (address->sa_family == AF_INET6) {
        memset(&key, 0, sizeof key);
        memcpy(key.bytes, address6(address), host_bytes(address, own));
    }
    return key;
}
