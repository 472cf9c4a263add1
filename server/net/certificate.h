/*
 * The certificate and the key with which the server proves who it is, for connections with TLS.
 * With connection.c this is what knows OpenSSL.
 */
#ifndef LUDUS_CERTIFICATE_H
#define LUDUS_CERTIFICATE_H

#include "common/cause.h"

struct ssl_ctx_st; /* OpenSSL's SSL_CTX */

/* Has OpenSSL end the program too when memory runs out. Call it before anything else of OpenSSL. */
void certificate_use_xmalloc(void);

/* Reads a chain of certificates and the key of its first one, both PEM. TLS 1.2 is the oldest that
 * will be spoken. NULL with the cause. */
struct ssl_ctx_st *certificate_load(const char *chain_file, const char *key_file,
                                    struct cause *cause);

/* Frees it; NULL is allowed. No connection may use it any more. */
void certificate_free(struct ssl_ctx_st *certificate);

#endif
