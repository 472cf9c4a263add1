/*
 * Visitors: connections without a session. The first line of one tells whether it is a client,
 * which then gets a session, or a browser, which gets files of the page and, on request, a
 * WebSocket.
 */
#ifndef LUDUS_VISITOR_H
#define LUDUS_VISITOR_H

#include "framing.h"
#include "web_answer.h"

/* The server waits so long for the first line of a client before it greets: a browser would take a
 * greeting for an invalid answer. Longer where a browser is about, as it opens spare connections.
 */
enum { GREETING_WAIT_MS = 200, BROWSER_WAIT_MS = 2000 };

enum visit {
    VISIT_GOES_ON,     /* or ends: the state of the stream says so */
    VISIT_IS_CLIENT,   /* its input is lines */
    VISIT_IS_WEBSOCKET /* the handshake is answered */
};

/* Begins to wait for the first line. */
void visitor_begin(struct connection *connection);

/* Handles the input that has arrived. */
enum visit visitor_take(struct connection *connection, const struct web_names *names);

/* GREETING_WAIT_MS are over, or more. Returns whether it is taken for a client. */
bool visitor_is_silent_client(struct connection *connection);

/* Ends the visit if it is overdue. Called every second. */
void visitor_tick(struct connection *connection);

#endif
