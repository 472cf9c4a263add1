/*
 * Frames the messages of a session on its connection: as lines, or as messages of a
 * WebSocket. The session itself takes and writes lines, and does not know.
 */
#ifndef LUDUS_FRAMING_H
#define LUDUS_FRAMING_H

#include "certificate.h"
#include "splitter.h"
#include "stream.h"

struct framing;
struct websocket;

struct connection {
    struct stream stream;    /* first: the lists of streams are those of connections */
    struct session *session; /* owned; NULL: a visitor, whose protocol is not known or is HTTP */

    struct origin *origin; /* of a visitor; then it is the session's */
    bool browses;          /* the visitor has sent an HTTP request */
    bool answered;         /* and its last one was answered */
    bool is_new;           /* in connections->strangers */
    int requests;
    int64_t opened_ms;
    int64_t due_ms; /* by when it has to do the next thing */
    TAILQ_ENTRY(connection) stranger;

    struct record_hook record; /* for TLS */
    bool record_open;          /* no message was handled since the last TLS record */
    int records;               /* of a visitor */

    const struct framing *framing; /* of a session */
    struct splitter splitter;      /* lines: of the input */
    bool known;                    /* lines: the first one was of the protocol */
    struct websocket *websocket;   /* owned */
    const char *message;           /* of the WebSocket, which is being handled; NULL: none */
    size_t message_length;
};

enum taken { TAKEN, NOTHING_THERE, ENOUGH, ASLEEP };

struct framing {
    /* Handles the next message if it is complete. */
    enum taken (*take)(struct connection *connection);
    /* Writes whole lines. It must not close the connection: callers may be walking over lists. */
    void (*write)(struct connection *connection, const char *bytes, size_t length);
    /* Asks in its own way whether the peer is there. False: it has none. */
    bool (*ping)(struct connection *connection);
    /* Writes what ends a conversation. */
    void (*end)(struct connection *connection);
    /* Input has come after that. */
    void (*linger)(struct connection *connection);
};

extern const struct framing framing_lines, framing_websocket;

/* Begins the framing of a WebSocket. connection_release() ends it. */
void framing_upgrade(struct connection *connection);

#endif
