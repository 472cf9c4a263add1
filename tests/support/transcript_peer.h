/* Who talks to the server in a transcript: a session, and the output that it got. */
#ifndef LUDUS_TRANSCRIPT_PEER_H
#define LUDUS_TRANSCRIPT_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/buffer.h"

struct server;

enum { LINE_MAX_BYTES = 8192 };

/* Where all lines that peers take are written, too; borrowed. NULL: nowhere. */
void peer_record(FILE *file);

struct peer {
    char name[32];
    struct session *session; /* NULL: it has left */
    struct buffer got;       /* its output; begins anew once all of it is taken */
    const char *output;      /* what is not yet taken of it, and a NUL */
    size_t length;
    bool closed;
    bool woken;
    char line[LINE_MAX_BYTES]; /* the sleeping line */
    size_t line_length;        /* 0: none */
};

/* Begins a session. */
void peer_open(struct peer *peer, struct server *server);

/* Begins a session as a listener does, "FROM" an address or "FROM to" the server's address, unless
 * that would refuse: then the peer is closed. False when these are no addresses. */
bool peer_open_from(struct peer *peer, struct server *server, const char *addresses);

/* Ends the session, if there is one. */
void peer_leave(struct peer *peer);

/* Sends a line to the peer's session, or has it sleep. */
void peer_send(struct peer *peer, const char *line, size_t length);

/* Resumes a woken peer. Returns whether it was woken. */
bool peer_resume(struct peer *peer);

/* Takes the next line of the output, without its end. False when there is none. */
bool peer_take_line(struct peer *peer, char line[LINE_MAX_BYTES]);

/* Takes all of the output. */
void peer_drop_output(struct peer *peer);

#endif
