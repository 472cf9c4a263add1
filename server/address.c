#include "address.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "options.h"

bool address_resolve(const char *text, struct addrinfo **list, struct cause *cause)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    const char *colon = strrchr(text, ':');
    char host[ADDRESS_TEXT_MAX];

    if (colon == NULL || colon == text || colon[1] == '\0' || strlen(text) >= sizeof host)
        return cause_set(cause, "%.100s: write ADDR:PORT, such as 127.0.0.1:7117", text);
    bool bracketed = text[0] == '[' && colon[-1] == ']';
    snprintf(host, sizeof host, "%.*s", (int)(colon - text) - 2 * bracketed, text + bracketed);
    int error = getaddrinfo(host, colon + 1, &hints, list);
    if (error != 0)
        return cause_set(cause, "%.100s: %s", text, gai_strerror(error));
    return true;
}

void address_bound(int descriptor, char *text, size_t size)
{
    struct sockaddr_storage address = {.ss_family = AF_UNSPEC};
    socklen_t length = sizeof address;
    char host[NI_MAXHOST] = "?", port[NI_MAXSERV] = "?";

    getsockname(descriptor, (struct sockaddr *)&address, &length);
    getnameinfo((struct sockaddr *)&address, length, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(text, size, address.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
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

struct origin_key address_key(const struct sockaddr *address)
{
    static const unsigned char mapped[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    struct origin_key key = {{0}};

    if (address->sa_family == AF_INET) {
        memcpy(key.bytes, mapped, sizeof mapped);
        memcpy(key.bytes + sizeof mapped,
               &((const struct sockaddr_in *)(const void *)address)->sin_addr, 4);
    } else if (address->sa_family == AF_INET6) {
        const struct in6_addr *in6 =
            &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
        if (IN6_IS_ADDR_LOOPBACK(in6))
            memcpy(key.bytes,
                   (const unsigned char[]){0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1},
                   16);
        else
            memcpy(key.bytes, in6, memcmp(in6, mapped, sizeof mapped) == 0 ? 16 : 8);
    }
    return key;
}
