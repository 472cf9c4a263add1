/*
 * Accepts connections, or refuses them where a limit is reached. When descriptors run out, it
 * refuses one peer and pauses, instead of trying again at once for ever. Called by the loop; uses
 * libevent.
 */
#ifndef LUDUS_LISTENER_H
#define LUDUS_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

#include "address.h"
#include "common/cause.h"
#include "connection.h"

struct evconnlistener;
struct ssl_ctx_st;

struct listener {
    struct listeners *set;
    struct evconnlistener *listener;
    struct ssl_ctx_st *certificate; /* borrowed; NULL: without TLS */
};

struct listeners {
    struct connections *connections; /* borrowed: opens what is accepted */
    struct listener list[LISTEN_MAX];
    int count;
    struct event *accept_again;
    int spare_descriptor; /* closed to accept and refuse when there is no other */
    int64_t refusal_logged_ms;
};

void listeners_init(struct listeners *listeners, struct connections *connections);

/* Listens on ADDR:PORT and adds the address to the list; port 0 stands for any free one. With a
 * certificate, which is borrowed, the address speaks TLS. False with the cause. */
bool listeners_add(struct listeners *listeners, const char *address, struct ssl_ctx_st *certificate,
                   struct listen_addresses *addresses, struct cause *cause);

/* Takes a socket that is listening already, and adds its address to the list. False with the
 * cause. */
bool listeners_adopt(struct listeners *listeners, int descriptor,
                     struct listen_addresses *addresses, struct cause *cause);

/* Stops accepting. */
void listeners_close(struct listeners *listeners);

/* Stops accepting and frees everything. */
void listeners_release(struct listeners *listeners);

#endif
