/*
 * A connection to a server: lines out, JSON objects in. Its owner waits until link->fd can be read.
 */
#ifndef LUDUS_LINK_H
#define LUDUS_LINK_H

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/ports.h"
#include "common/text.h"
#include "tls.h"

enum {
    LINK_ADDRESS_MAX = 320, /* bytes with the final NUL */
    LINK_TLS_PREFIX_BYTES = 6
};

/* Where the client connects unless told otherwise. */
#define LINK_DEFAULT_ADDRESS "localhost:" DEFAULT_PORT_TEXT

struct link {
    int fd;             /* -1: not connected */
    bool reached;       /* something accepted the connection */
    bool unreachable;   /* nobody does for now: the server or the network may be down */
    bool keeps_text;    /* set by the owner: link_next() returns other lines, too, as strings */
    struct ssl_st *tls; /* owned; NULL: no TLS */
    char *buffer;
    size_t used, size;
    size_t scanned; /* bytes of the buffer known to hold no line end */
};

/* Makes cJSON and OpenSSL end the program when there is no memory (common/xmalloc.h). Call it first
 * in main(): OpenSSL refuses once it has allocated anything. */
void link_use_xmalloc(void);

/* Connects to HOST:PORT, or with TLS (tls.h) to tls://HOST:PORT. HOST is a name, an address or a
 * bracketed [IPv6 address]. The default port is 7117, or 7118 with TLS. False with the cause: an
 * invalid address, or why connecting failed. */
bool link_connect(struct link *link, const char *address, const struct tls_terms *terms,
                  struct cause *cause);

/* Whether an address asks for TLS. */
bool link_has_tls(const char *address);

/* Returns the address to connect to: the one given, or for NULL the default one of this machine.
 * With tls, text[] may hold it. One that is too long is returned unchanged: connecting to it fails.
 */
const char *link_address(const char *address, bool tls, char text[LINK_ADDRESS_MAX]);

/* Sends one line, formatted as by vprintf, and adds the line end. Waits at most 10 s for each part
 * to be written. False if the connection is broken, the line with its end exceeds 1 KiB, or it
 * contains a line end. */
bool link_vsend(struct link *link, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Reads what has arrived, and waits if nothing has. False if the server closed the connection, it
 * broke, or a line exceeds 1 MiB. */
bool link_read(struct link *link);

/* Returns the next complete message, owned by the caller, or NULL. Skips lines that are not JSON
 * objects. Unclean bytes of its texts (text.h) become '?', so that they are safe to print. */
cJSON *link_next(struct link *link);

/* Closes the connection and frees the buffer. May be called again. */
void link_close(struct link *link);

#endif
