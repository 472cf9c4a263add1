/*
 * TLS on a connected socket, for link.c; the only file of the client that knows OpenSSL. It accepts
 * a server if this machine trusts its certificate. For any other server it trusts on first use, as
 * ssh does: the keys are in the file known_hosts of the state directory (identity.h), a record
 * "HOST:PORT FINGERPRINT" each. To forget a server, remove its line.
 */
#ifndef LUDUS_TLS_H
#define LUDUS_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/text.h"

struct ssl_st; /* OpenSSL's SSL */

/* Makes OpenSSL allocate with common/xmalloc.h. */
void tls_use_xmalloc(void);

enum { TLS_KEY_MAX = 144 }; /* bytes of a key's fingerprint, with the final NUL */

/* On what terms to connect. */
struct tls_terms {
    int wait_ms;     /* how long connecting may take, and the handshake; 0: as usual */
    const char *key; /* NULL: the user named the server: a key that is new is remembered. Else
                        another server named it: its key must be known, or be this one. */
};

/* Shakes hands within 10 s and checks the certificate, which must be for the name or address
 * `host`. `server`, HOST:PORT, names the server in known_hosts. The socket stays the caller's and
 * becomes non-blocking. A new key is reported on standard error. NULL with the cause. */
struct ssl_st *tls_open(int fd, const char *host, const char *server, const struct tls_terms *terms,
                        struct cause *cause);

/* Writes the fingerprint of the server's key; "" if it has none. */
void tls_key(const struct ssl_st *tls, char key[TLS_KEY_MAX]);

/* Work as recv() and send() on a non-blocking socket: -1 with EAGAIN if nothing can be done now, 0
 * at the end. */
ssize_t tls_read(struct ssl_st *tls, void *bytes, size_t size);
ssize_t tls_write(struct ssl_st *tls, const void *bytes, size_t length);

/* Whether decrypted bytes are waiting to be read. */
bool tls_has_more(const struct ssl_st *tls);

/* Ends TLS and frees it; NULL is allowed. The socket stays open. */
void tls_close(struct ssl_st *tls);

#endif
