/*
 * Commands to the server, and their replies. Messages that come before a reply go to the handlers
 * of the client.
 */
#ifndef LUDUS_CLIENT_REQUEST_H
#define LUDUS_CLIENT_REQUEST_H

#include "client.h"

/* Sends a command and waits for its reply, which the caller owns. NULL when the line is too long
 * (which is reported), the connection was lost (it may be back), or the player quits. */
cJSON *client_request(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Like client_request(), but shows a refusal and returns NULL. */
cJSON *client_ask(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sends a command and shows a refusal. Returns whether it was accepted. */
bool client_do(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns false for an error, and shows its message. */
bool client_accepted(struct client *client, const cJSON *reply);

/* Sends a command whose reply will come as a message. */
void client_post(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Like client_request(), but just returns NULL when the connection breaks or the reply takes longer
 * than timeout_ms. */
cJSON *client_exchange(struct client *client, int timeout_ms, const char *line);
/* The next message of any kind, owned by the caller; NULL after timeout_ms, or when the connection
 * breaks. */
cJSON *client_message(struct client *client, int timeout_ms);

#endif
