/*
 * TLS on a connected socket, for link.c: the only file of the client that knows OpenSSL. A server
 * is believed when this machine trusts whoever signed its certificate, or when it has the key that
 * it had the first time (known_host.h).
 */
#ifndef LUDUS_TLS_H
#define LUDUS_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/cause.h"

struct tls;

/* Shakes hands with the server, within 10 s, and looks at who it is. `host` is the name or address
 * that its certificate is for, `server` HOST:PORT, as it is kept under. The socket does not block
 * from now on; it stays the caller's. A key that was not known is told on standard error. NULL with
 * the cause. */
struct tls *tls_open(int fd, const char *host, const char *server, struct cause *cause);

/* Like recv() and send() on a socket that does not block: -1 with EAGAIN when nothing can be done
 * now, 0 at the end. */
ssize_t tls_read(struct tls *tls, void *bytes, size_t size);
ssize_t tls_write(struct tls *tls, const void *bytes, size_t length);

/* Whether more can be read without anything arriving at the socket. */
bool tls_has_more(const struct tls *tls);

/* Says goodbye, and frees it; NULL is allowed. */
void tls_close(struct tls *tls);

#endif
