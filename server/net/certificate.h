/*
 * The server's side of TLS: its certificate and key, and connections that use them. Only this
 * module uses OpenSSL.
 */
#ifndef LUDUS_CERTIFICATE_H
#define LUDUS_CERTIFICATE_H

#include <stdbool.h>

#include "common/cause.h"

struct bufferevent;
struct event_base;
struct ssl_ctx_st; /* OpenSSL's SSL_CTX */

/* Ends the program when OpenSSL runs out of memory. Call it before any other use of OpenSSL. */
void certificate_use_xmalloc(void);

/* Reads a chain of certificates and the key of its first one, both PEM. Peers must speak TLS 1.2 or
 * newer. NULL with the cause. */
struct ssl_ctx_st *certificate_load(const char *chain_file, const char *key_file,
                                    struct cause *cause);

/* Frees the certificate, which no connection may use any more; NULL is allowed. */
void certificate_free(struct ssl_ctx_st *certificate);

/* Begins TLS on an accepted socket. The caller owns the bufferevent, which owns the socket. */
struct bufferevent *certificate_accept(struct ssl_ctx_st *certificate, struct event_base *base,
                                       int fd);

/* Returns whether the handshake is done, so that output can reach the peer. */
bool certificate_handshake_done(struct bufferevent *bufferevent);

/* Called for each record that has come, with data or without. It must not touch the bufferevent. */
struct record_hook {
    void (*came)(void *context);
    void *context;
};

/* Calls the hook, which is borrowed for as long as the bufferevent lives. */
void certificate_watch_records(struct bufferevent *bufferevent, const struct record_hook *hook);

/* Tells the peer that the connection ends properly, before the socket is closed. */
void certificate_shut_down(struct bufferevent *bufferevent);

#endif
