/*
 * What the server sends unasked: states, offers, chat, challenges. Each is noted in the client, and
 * what people should know of it is said; nothing here waits.
 */
#ifndef LUDUS_EVENT_H
#define LUDUS_EVENT_H

#include "client.h"

/* Call this when the player is at the keys. From now on matches that are not on the screen are
 * reported too, first those in which something waits already. */
void event_begin(struct client *client);

/* Call this when client->claim_due_ms has come: says that the win can be claimed now, if it still
 * can. */
void event_tell_claim(struct client *client);

/* Handles a message that answers no request. Unknown types are ignored. */
void event_handle(struct client *client, const cJSON *message);

#endif
