/*
 * The connection with the server: saying hello, coming back with the token when the connection is
 * lost, noticing when it is dead. Knows nothing of matches and engines.
 */
#ifndef LUDUS_BRIDGE_CONNECTION_H
#define LUDUS_BRIDGE_CONNECTION_H

#include "client/link/backoff.h"
#include "client/link/link.h"
#include "options.h"

enum { TOKEN_TEXT_MAX = 65 };

struct connection {
    const struct options *options;
    struct link link;
    char token[TOKEN_TEXT_MAX]; /* "": none */
    bool announced;             /* the token was printed */
    bool welcome;               /* hello was answered on this connection */
    int64_t welcome_ms;         /* ... then */
    bool broken;                /* to be closed, and come back to later */
    bool failed;                /* for good, with the cause */
    struct cause cause;
    int64_t heard_ms;   /* when something last came */
    bool asked;         /* and the server was asked for a sign of life since */
    int64_t give_up_ms; /* disconnected: no more tries from then on */
    int64_t try_ms;     /* disconnected: when to try again */
    bool told;          /* ... and that a try has failed was logged */
    struct backoff backoff;
};

/* Connects for the first time and says hello. False with the cause when it cannot: only what was
 * there once is waited for. */
bool connection_open(struct connection *connection, const struct options *options, int64_t now_ms,
                     struct cause *cause);

bool connection_is_up(const struct connection *connection);

/* Sends a line, formatted as by printf. What cannot be sent breaks the connection. */
void connection_send(struct connection *connection, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads what has come, once. */
void connection_receive(struct connection *connection, int64_t now_ms);

/* Takes care of a message that is about the connection itself: the answers to hello, ping, bye.
 * False for any other. */
bool connection_handle(struct connection *connection, const cJSON *message);

/* Closes a broken connection and plans to come back. True if it was broken. */
bool connection_drop_broken(struct connection *connection, int64_t now_ms);

/* Lets time pass: asks a silent server for a sign of life, tries to come back. Trying waits for
 * the network. */
void connection_tick(struct connection *connection, int64_t now_ms);

/* When connection_tick() is due. */
int64_t connection_due_ms(const struct connection *connection);

/* Says quit and closes; then the connection is as if it had never been opened. */
void connection_close(struct connection *connection);

#endif
