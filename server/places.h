/*
 * Where the server listens: what the options name, or the usual addresses, and what the service
 * manager has handed over. Every address is told on standard output.
 */
#ifndef LUDUS_PLACES_H
#define LUDUS_PLACES_H

#include "loop.h"
#include "options.h"
#include "server.h"

/* The addresses as they came to be. */
struct places {
    struct {
        char bound[ADDRESS_TEXT_MAX];
        bool tls;
    } list[LISTEN_MAX];
    int count;
    struct ssl_ctx_st *certificate; /* borrowed; NULL: no TLS */
};

/* Listens everywhere. `handed_over` sockets are there already, from SERVICE_FIRST_DESCRIPTOR on.
 * places->certificate is the caller's, set before. False with the cause. */
bool places_listen(struct places *places, struct loop *loop, const struct options *options,
                   int handed_over, struct cause *cause);

/* Tells the house bots to connect to the first address; to loopback where that is every address. */
void places_house_address(const struct places *places, struct house *house);

/* Prints what others type to get in, for each address that they can reach; `code` "": none. */
void places_invite(const struct places *places, const char *code);

#endif
