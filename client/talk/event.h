/*
 * Handles what the server sends unasked: states, offers, chat, challenges. Each is shown and noted
 * in the client; nothing here waits.
 */
#ifndef LUDUS_EVENT_H
#define LUDUS_EVENT_H

#include "event_tell.h"

/* Handles a message that answers no request. Unknown types are ignored. */
void event_handle(struct client *client, const cJSON *message);

#endif
