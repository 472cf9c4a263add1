/*
 * Listeners: the addresses of this server, as text ADDR:PORT or [ADDR]:PORT, and the sockets that
 * accept connections there, or refuse them where a limit is reached. When descriptors run out, a
 * listener refuses one peer and pauses, instead of trying again at once for ever.
 */
#ifndef LUDUS_LISTENER_H
#define LUDUS_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/text.h"
#include "server/model/origin.h"

struct addrinfo;
struct connections;
struct event;
struct evconnlistener;
struct sockaddr;
struct ssl_ctx_st;

enum { LISTEN_MAX = 16, ADDRESS_TEXT_MAX = 128 };

/* The addresses that the server listens on, with the ports that the system has chosen. */
struct listen_addresses {
    struct {
        char bound[ADDRESS_TEXT_MAX];
        bool tls;
    } list[LISTEN_MAX];
    int count;
};

/* Resolves an address to listen on; the port may be 0. The caller frees the list with
 * freeaddrinfo(). False with the cause. */
bool address_resolve(const char *text, struct addrinfo **list, struct cause *cause);

/* Returns whether the descriptor is a listening TCP socket, of IPv4 or IPv6. */
bool address_is_listening(int descriptor);

/* Writes the address to which a socket is bound, with "?" for unknown parts. */
void address_bound(int descriptor, char text[ADDRESS_TEXT_MAX]);

struct listener {
    struct listeners *set;
    struct evconnlistener *listener;
    struct ssl_ctx_st *certificate; /* borrowed; NULL: without TLS */
    bool metrics;                   /* only metrics are served there */
};

struct listeners {
    struct connections *connections;      /* borrowed: opens what is accepted */
    struct listener list[LISTEN_MAX + 1]; /* with that for metrics */
    int count;
    int accepted;               /* since the last pause */
    struct event *accept_again; /* ends a pause */
    int spare_descriptor;       /* closed to accept and refuse when there is no other */
    int64_t refusal_logged_ms;
};

void listeners_init(struct listeners *listeners, struct connections *connections);

/* Listens on ADDR:PORT and adds the address to the list; port 0 stands for any free one. With a
 * certificate, which is borrowed, the address speaks TLS. False with the cause. */
bool listeners_add(struct listeners *listeners, const char *address, struct ssl_ctx_st *certificate,
                   struct listen_addresses *addresses, struct cause *cause);

/* Accepts from a socket that is listening already, and adds its address to the list. False with the
 * cause. */
bool listeners_adopt(struct listeners *listeners, int descriptor,
                     struct listen_addresses *addresses, struct cause *cause);

/* Serves only metrics on 127.0.0.1:PORT; port 0 stands for any free one. Writes the address into
 * bound[]. False with the cause. */
bool listeners_add_metrics(struct listeners *listeners, int port, char bound[ADDRESS_TEXT_MAX],
                           struct cause *cause);

/* Stops accepting. */
void listeners_close(struct listeners *listeners);

/* Stops accepting and frees everything. */
void listeners_release(struct listeners *listeners);

#endif
