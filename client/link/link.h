/*
 * A connection to a server: lines out, JSON objects in. Its owner waits until link->fd can be read.
 */
#ifndef LUDUS_LINK_H
#define LUDUS_LINK_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/cause.h"
#include "common/ports.h"

struct tls;

enum {
    LINK_ADDRESS_MAX = 320, /* bytes with the final NUL */
    LINK_LINE_MAX = 1024    /* bytes of a line to the server, with its end */
};

/* Where the client connects unless told otherwise. */
#define LINK_DEFAULT_ADDRESS "localhost:" DEFAULT_PORT_TEXT

struct link {
    int fd;          /* -1: not connected */
    bool reached;    /* somebody was there, whoever it is */
    struct tls *tls; /* owned; NULL: in the clear */
    char *buffer;
    size_t used, size;
    size_t scanned; /* bytes of the buffer known to hold no line end */
};

/* Connects to HOST:PORT, or, with TLS (tls.h), to tls://HOST:PORT; HOST may be a name, an address
 * or a bracketed [IPv6 address]. The port may be left out: 7117, or 7118 with TLS. False with the
 * cause: a bad address, or why no connection came about. */
bool link_connect(struct link *link, const char *address, struct cause *cause);

/* The address to connect to: the one given, or NULL for the usual one of this machine; tls: with
 * TLS, for which text[] is used. One that is too long is returned as it is: connecting will tell.
 */
const char *link_address(const char *address, bool tls, char text[LINK_ADDRESS_MAX]);

/* Sends one line, formatted as by printf; the line end is added. Waits until all is written or
 * 10 s have passed. False when the connection is broken, or the line would be longer than the
 * protocol's 1024 bytes or hold a line end. */
bool link_send(struct link *link, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reads what has arrived, waiting if nothing has. False when the server closed the connection,
 * it broke, or a line grew beyond 1 MiB. */
bool link_read(struct link *link);

/* Takes the next complete message out of what was read; the caller owns it. NULL when there is
 * none. Lines that are no JSON object are skipped. In all texts of it what is no clean UTF-8
 * (utf8.h) is '?': they are fit to be shown. */
cJSON *link_next(struct link *link);

/* Closes the connection and frees the buffer. May be called again. */
void link_close(struct link *link);

#endif
