/*
 * Listening: addresses on which connections are accepted, or refused where there is no room. When
 * descriptors run out, nothing spins: one peer at a time is told, and accepting rests a while. For
 * the loop; it knows libevent.
 */
#ifndef LUDUS_LISTENER_H
#define LUDUS_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cause.h"
#include "connection.h"
#include "listen_addresses.h"

struct evconnlistener;

struct ssl_ctx_st;

struct listener {
    struct listeners *set;
    struct evconnlistener *listener;
    struct ssl_ctx_st *certificate; /* borrowed; NULL: without TLS */
};

struct listeners {
    struct connections *connections; /* borrowed: where those who come are opened */
    struct listener list[LISTEN_MAX];
    int count;
    struct event *accept_again;
    int spare_descriptor; /* given up to accept and refuse when there are no others */
    int64_t refusal_logged_ms;
};

void listeners_init(struct listeners *listeners, struct connections *connections);

/* Listens on ADDR:PORT (the port may be 0: any free one) and writes the address as it came to
 * be into bound[size]. With a certificate, which is borrowed, TLS is spoken there. False with the
 * cause. */
bool listeners_add(struct listeners *listeners, const char *address, struct ssl_ctx_st *certificate,
                   char *bound, size_t size, struct cause *cause);

/* Listens on a socket that listens already, and takes it. Likewise. */
bool listeners_adopt(struct listeners *listeners, int descriptor, char *bound, size_t size,
                     struct cause *cause);

/* Accepts nobody any more. */
void listeners_close(struct listeners *listeners);

/* Closes them and frees the rest. */
void listeners_release(struct listeners *listeners);

#endif
